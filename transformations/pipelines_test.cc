#include "transformations/pipelines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "ir/model.h"
#include "ir/ops/ops.h"
#include "ir/rewrite.h"
#include "ir/tensor.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"
#include "transformations/constant_evaluator.h"
#include "transformations/driver.h"
#include "transformations/pass_table.h"
#include "transformations/report.h"
#include "transformations/rewrite_testlib.h"

namespace burin::transformations {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr Stage kStages[] = {Stage::kUpToLpt, Stage::kPostLpt};

// Something for most passes: compressed weights, a scale to be folded, a common subexpression, a dead node.
constexpr char kModel[] = R"(model "m" {
  %0 "x" = Parameter() {shape = [?,2]}
  %1 "w" = Constant() {value = f16[2,2]{1, 2, 3, 4}}
  %2 "wide" = Convert(%1) {destination_type = f32}
  %3 "a" = MatMul(%0, %2)
  %4 "half" = Constant() {value = f16[]{0.5}}
  %5 "scale" = Convert(%4) {destination_type = f32}
  %6 "b" = Multiply(%3, %5)
  %7 "c" = Relu(%6)
  %8 "d" = Relu(%6)
  %9 "e" = Add(%7, %8)
  %10 "dead" = Abs(%9)
  %11 "out" = Result(%9)
})";

std::unique_ptr<ir::Model> Parse(const char* text) {
  absl::StatusOr<std::unique_ptr<ir::Model>> model = ir::ParseModel(text);
  EXPECT_OK(model);
  return *std::move(model);
}

TEST(PipelinesTest, EveryPassHasItsPlace) {
  std::set<std::string> used;
  for (const Stage stage : kStages) {
    for (const PassGroup& group : GroupsOf(stage)) {
      for (const Pass* pass : group) used.insert(pass->name);
    }
  }
  for (const Pass& pass : AllPasses()) EXPECT_TRUE(used.count(pass.name) == 1) << pass.name << " runs in no stage";
}

TEST(PipelinesTest, SimplifiesWithoutChangingWhatIsComputed) {
  const std::unique_ptr<ir::Model> model = Parse(kModel);
  const std::unique_ptr<ir::Model> original = model->Clone();
  PipelineOptions options;
  options.verify_each_rewrite = true;
  CompileReport report;
  for (const Stage stage : kStages) ASSERT_OK(RunPipeline(stage, model.get(), {}, options, &report));
  EXPECT_OK(CheckEquivalent(*original, *model));
  EXPECT_EQ(model->FindNode("dead"), ir::NodeId::kNone);
  EXPECT_EQ(model->FindNode("d"), ir::NodeId::kNone);
  ASSERT_NE(model->FindNode("scale"), ir::NodeId::kNone);
  EXPECT_EQ(model->node(model->FindNode("scale")).code(), ir::OpCode::kConstant);
  ASSERT_NE(model->FindNode("wide"), ir::NodeId::kNone) << "weights were widened";
  EXPECT_EQ(model->node(model->FindNode("wide")).code(), ir::OpCode::kConvert);
  EXPECT_EQ(report.nodes_before, 12);
  EXPECT_EQ(report.nodes_after, 9);
}

TEST(PipelinesTest, ASecondRunFindsNothing) {
  const std::unique_ptr<ir::Model> model = Parse(kModel);
  CompileReport first;
  for (const Stage stage : kStages) ASSERT_OK(RunPipeline(stage, model.get(), {}, {}, &first));
  EXPECT_GT(first.rewrites, 0);
  CompileReport second;
  for (const Stage stage : kStages) ASSERT_OK(RunPipeline(stage, model.get(), {}, {}, &second));
  EXPECT_EQ(second.rewrites, 0) << second.ToString();
}

TEST(PipelinesTest, CountsTheTimeOfTheConstantEvaluatorHandedIn) {
  class Slow final : public ConstantEvaluator {
   public:
    absl::StatusOr<std::vector<ir::Tensor>> Evaluate(const ir::Node& node,
                                                     absl::Span<const ir::Tensor> inputs) const override {
      ++calls;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      return ReferenceConstantEvaluator().Evaluate(node, inputs);
    }
    mutable int calls = 0;
  };
  const Slow slow;
  ir::PassContext context;
  context.Provide<ConstantEvaluator>(&slow);
  CompileReport report;
  ASSERT_OK(RunPipeline(Stage::kUpToLpt, Parse(kModel).get(), context, {}, &report));
  EXPECT_EQ(slow.calls, 1);
  EXPECT_GE(report.constants_ns, 2'000'000);
  EXPECT_GE(report.Find("ConstantFolding")->time_ns, report.constants_ns);
  EXPECT_EQ(context.Find<ConstantEvaluator>(), &slow);
}

// Each fold is small; together they would be twice what is allowed.
TEST(PipelinesTest, BoundsWhatFoldsAddTogether) {
  std::string text = "model \"\" {\n  %0 = Constant() {value = i64[1]{16}}\n  %1 = Parameter() {shape = [1]}\n";
  constexpr int kFolds = 8;
  for (int i = 0; i < kFolds; ++i) {
    // All different, so that none is merged with another.
    absl::StrAppend(&text, "  %", 3 * i + 2, " = Constant() {value = f32[]{", i, "}}\n  %", 3 * i + 3, " = Broadcast(%",
                    3 * i + 2, ", %0)\n  %", 3 * i + 4, " = Result(%", 3 * i + 3, ")\n");
  }
  text += "}";
  FoldingLimits limits;
  limits.max_total_growth_bytes = kFolds / 2 * 60;
  ir::PassContext context;
  context.Provide(&limits);
  const std::unique_ptr<ir::Model> model = Parse(text.c_str());
  CompileReport report;
  for (const Stage stage : kStages) ASSERT_OK(RunPipeline(stage, model.get(), context, {}, &report));
  EXPECT_EQ(report.Find("ConstantFolding")->rewrites, kFolds / 2);
  EXPECT_EQ(report.constants_growth_bytes, limits.max_total_growth_bytes);
  CompileReport unlimited;
  for (const Stage stage : kStages) ASSERT_OK(RunPipeline(stage, model.get(), {}, {}, &unlimited));
  EXPECT_EQ(unlimited.Find("ConstantFolding")->rewrites, kFolds / 2);
}

TEST(PipelinesTest, AnyPassOfTheTableMayBeDisabledInAnyStage) {
  PipelineOptions options;
  for (const Pass& pass : AllPasses()) options.disabled.push_back(pass.name);
  for (const Stage stage : kStages) {
    CompileReport report;
    EXPECT_OK(RunPipeline(stage, Parse(kModel).get(), {}, options, &report));
    EXPECT_EQ(report.rewrites, 0);
  }
  options.disabled.push_back("NoSuchPass");
  CompileReport report;
  EXPECT_THAT(
      RunPipeline(Stage::kUpToLpt, Parse(kModel).get(), {}, options, &report),
      StatusIs(absl::StatusCode::kInvalidArgument, AllOf(HasSubstr("NoSuchPass"), HasSubstr("ConstantFolding, "))));
}

}  // namespace
}  // namespace burin::transformations
