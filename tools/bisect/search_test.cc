#include "tools/bisect/search.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/rewrite.h"
#include "ir/tensor.h"
#include "ir/text.h"
#include "runtime/api/core.h"
#include "runtime/dev/compiled_model.h"
#include "testing/gtest/status_matchers.h"
#include "testing/test_data.h"
#include "tools/bisect/comparison.h"
#include "tools/bisect/finding_report.h"
#include "tools/bisect/reproducer.h"
#include "tools/check/checker.h"
#include "tools/check/data_set.h"
#include "tools/models/builtin.h"
#include "tools/opt/model_source.h"
#include "transformations/driver.h"
#include "transformations/pass.h"
#include "transformations/pipelines.h"

namespace burin::bisect {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using transformations::Pass;
using transformations::PassGroup;
using PatchOr = absl::StatusOr<std::optional<ir::Patch>>;

// Where the planted rewrites go wrong.
struct Victim {
  std::string name;
};

// Relu(x) => Maximum(x, 0): right, so that the wrong rewrite is one among many.
PatchOr ReluToMaximum(const ir::Model& model, ir::NodeId id, const ir::PassContext& context) {
  const ir::Node& node = model.node(id);
  if (node.code() != ir::OpCode::kRelu || node.name() == context.Find<Victim>()->name) return std::nullopt;
  ir::Patch patch(model);
  absl::StatusOr<ir::Tensor> zero = ir::Tensor::CreateZeroed(model.info({id, 0}).type, {});
  if (!zero.ok()) return zero.status();
  const ir::Value constant = patch.AddConstant(*std::move(zero));
  patch.Replace({id, 0}, patch.Add(ir::MaximumOp(), {node.input(0), constant}));
  return patch;
}

// Relu(x) => Abs(x) at one place: wrong for negative numbers.
PatchOr ReluToAbs(const ir::Model& model, ir::NodeId id, const ir::PassContext& context) {
  const ir::Node& node = model.node(id);
  if (node.code() != ir::OpCode::kRelu || node.name() != context.Find<Victim>()->name) return std::nullopt;
  ir::Patch patch(model);
  patch.Replace({id, 0}, patch.Add(ir::AbsOp(), {node.input(0)}));
  return patch;
}

// Fails at that place instead of rewriting.
PatchOr FailsAt(const ir::Model& model, ir::NodeId id, const ir::PassContext& context) {
  const ir::Node& node = model.node(id);
  if (node.code() != ir::OpCode::kRelu || node.name() != context.Find<Victim>()->name) return std::nullopt;
  return absl::InternalError("planted failure");
}

constexpr Pass kReluToMaximum = {"ReluToMaximum", "Relu(x) => Maximum(x, 0)", &ReluToMaximum};
constexpr Pass kReluToAbs = {"ReluToAbs", "Relu(x) => Abs(x)", &ReluToAbs};
constexpr Pass kFailsAt = {"FailsAt", "Relu(x) => an error", &FailsAt};

class SearchTest : public testing::Test {
 protected:
  SearchTest() {
    options_.reference = RunOnDevice(&core_, "REFERENCE");
    options_.candidate = options_.reference;
    options_.bound.relative = 1e-4;
    context_.Provide(&victim_);
  }

  // Names the Relu at `position` of the model, counting from 0.
  void PlantAt(const ir::Model& model, int position) {
    for (const ir::NodeId id : model.NodeIds()) {
      if (model.node(id).code() == ir::OpCode::kRelu && position-- == 0) victim_.name = model.node(id).name();
    }
    ASSERT_FALSE(victim_.name.empty());
  }

  // The passes of a compilation, and the planted ones after the first group.
  static std::vector<PassGroup> WithPlanted(const PassGroup& planted) {
    std::vector<PassGroup> groups;
    for (const PassGroup& group : transformations::GroupsOf(transformations::Stage::kUpToLpt)) {
      groups.push_back(group);
      if (groups.size() == 1) groups.push_back(planted);
    }
    return groups;
  }

  Core core_;
  Victim victim_;
  ir::PassContext context_;
  BisectOptions options_;
};

TEST_F(SearchTest, NamesThePlantedRewriteOnANetworkAndCutsItOut) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model,
                       models::BuildBuiltinModel("builtin:resnet50(image=32,width=0.1,classes=10)"));
  PlantAt(*model, 20);
  ASSERT_OK_AND_ASSIGN(const check::DataSet data, check::MakeDataSet(InputPorts(*model), 1));
  const std::vector<PassGroup> groups = WithPlanted({&kReluToMaximum, &kReluToAbs});
  ASSERT_OK_AND_ASSIGN(const Finding finding, Bisect(*model, groups, context_, data.inputs, options_));
  ASSERT_EQ(finding.outcome, Outcome::kRewriteParts);
  EXPECT_GT(finding.rewrites, 40);
  EXPECT_GT(finding.rewrite, 1);
  ASSERT_NE(finding.pass, nullptr);
  EXPECT_STREQ(finding.pass->name, "ReluToAbs");
  EXPECT_EQ(finding.node_name, victim_.name);
  EXPECT_THAT(finding.how, HasSubstr("FAILED"));
  const std::string text = Describe(finding);
  EXPECT_THAT(text, HasSubstr("pass ReluToAbs (Relu(x) => Abs(x)) at node \"" + victim_.name + "\""));
  EXPECT_THAT(text, HasSubstr("= Abs("));
  ASSERT_OK_AND_ASSIGN(const Reproducer reproducer, Reproduce(finding, context_, data.inputs, options_));
  EXPECT_FALSE(reproducer.is_whole);
  EXPECT_EQ(reproducer.model->node_count(), 3) << *ir::PrintModel(*reproducer.model);
}

TEST_F(SearchTest, FindsTheFirstAndTheLastRewrite) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(R"(model "" {
    %0 "x" = Parameter() {shape = [64]}
    %1 "r1" = Relu(%0)
    %2 "n1" = Negative(%0)
    %3 "r2" = Relu(%2)
    %4 "s1" = Add(%1, %3)
    %5 "l" = Negative(%4)
    %6 "r3" = Relu(%5)
    %7 "s2" = Add(%4, %6)
    %8 "out" = Result(%7)
  })"));
  ASSERT_OK_AND_ASSIGN(const check::DataSet data, check::MakeDataSet(InputPorts(*model), 1));
  const std::vector<PassGroup> groups = {{&kReluToMaximum, &kReluToAbs}};
  for (const char* name : {"r1", "r2", "r3"}) {
    victim_.name = name;
    ASSERT_OK_AND_ASSIGN(const Finding finding, Bisect(*model, groups, context_, data.inputs, options_));
    ASSERT_EQ(finding.outcome, Outcome::kRewriteParts) << name;
    EXPECT_EQ(finding.node_name, name);
    EXPECT_EQ(finding.rewrites, 3);
  }
}

TEST_F(SearchTest, SaysThatAllRewritesHold) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model,
                       models::BuildBuiltinModel("builtin:mobilenet_v2(image=32,width=0.1,classes=10)"));
  ASSERT_OK_AND_ASSIGN(const check::DataSet data, check::MakeDataSet(InputPorts(*model), 1));
  const std::vector<PassGroup> groups = WithPlanted({&kReluToMaximum});
  ASSERT_OK_AND_ASSIGN(const Finding finding, Bisect(*model, groups, context_, data.inputs, options_));
  EXPECT_EQ(finding.outcome, Outcome::kHolds);
  EXPECT_THAT(Describe(finding), HasSubstr("Outputs hold after all"));
}

constexpr char kSmall[] = R"(model "" {
  %0 "x" = Parameter() {shape = [32]}
  %1 "other" = Relu(%0)
  %2 "n" = Negative(%0)
  %3 "victim" = Relu(%2) from("the user's op")
  %4 "s" = Subtract(%1, %3)
  %5 "out" = Result(%4)
})";

TEST_F(SearchTest, TellsADeviceThatPartsByItself) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(kSmall));
  ASSERT_OK_AND_ASSIGN(const check::DataSet data, check::MakeDataSet(InputPorts(*model), 1));
  options_.candidate = [this](const ir::Model& run, const std::vector<ir::Tensor>& inputs) {
    absl::StatusOr<std::vector<ir::Tensor>> outputs = options_.reference(run, inputs);
    if (outputs.ok()) (*outputs)[0].mutable_data_as<float>()[0] = 7;
    return outputs;
  };
  victim_.name = "victim";
  const std::vector<PassGroup> groups = {{&kReluToMaximum, &kReluToAbs}};
  ASSERT_OK_AND_ASSIGN(const Finding finding, Bisect(*model, groups, context_, data.inputs, options_));
  EXPECT_EQ(finding.outcome, Outcome::kDeviceParts);
  EXPECT_THAT(Describe(finding), HasSubstr("without any rewrite:\nFAILED"));
}

TEST_F(SearchTest, ARewriteWhoseModelDoesNotRunParts) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(kSmall));
  ASSERT_OK_AND_ASSIGN(const check::DataSet data, check::MakeDataSet(InputPorts(*model), 1));
  victim_.name = "victim";
  options_.candidate = [this](const ir::Model& run,
                              const std::vector<ir::Tensor>& inputs) -> absl::StatusOr<std::vector<ir::Tensor>> {
    for (const ir::NodeId id : run.NodeIds()) {
      if (run.node(id).code() == ir::OpCode::kAbs) return absl::UnimplementedError("no kernel");
    }
    return options_.reference(run, inputs);
  };
  const std::vector<PassGroup> groups = {{&kReluToMaximum, &kReluToAbs}};
  ASSERT_OK_AND_ASSIGN(const Finding finding, Bisect(*model, groups, context_, data.inputs, options_));
  ASSERT_EQ(finding.outcome, Outcome::kRewriteParts);
  EXPECT_EQ(finding.node_name, "victim");
  EXPECT_THAT(finding.original_names, ElementsAre("the user's op"));
  EXPECT_THAT(finding.how, HasSubstr("does not run: no kernel"));
  ASSERT_OK_AND_ASSIGN(const Reproducer reproducer, Reproduce(finding, context_, data.inputs, options_));
  EXPECT_EQ(reproducer.model->node_count(), 3);
}

TEST_F(SearchTest, TellsPassesThatFailBetweenRewrites) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(kSmall));
  ASSERT_OK_AND_ASSIGN(const check::DataSet data, check::MakeDataSet(InputPorts(*model), 1));
  victim_.name = "victim";
  const std::vector<PassGroup> groups = {{&kReluToMaximum, &kFailsAt}};
  ASSERT_OK_AND_ASSIGN(const Finding finding, Bisect(*model, groups, context_, data.inputs, options_));
  ASSERT_EQ(finding.outcome, Outcome::kRewriteParts);
  EXPECT_EQ(finding.pass, nullptr);
  EXPECT_THAT(Describe(finding), HasSubstr("planted failure"));
  EXPECT_THAT(*WriteReproducer(finding, context_, data.inputs, options_, ""), HasSubstr("No pass can be named"));
}

TEST_F(SearchTest, FindsARewriteInABody) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(R"(model "" {
    %0 "c" = Parameter() {element_type = boolean, shape = []}
    %1 "x" = Parameter() {shape = [8]}
    %2 "y" = Negative(%1)
    %3 "if" = If(%0, %2) {then_inputs = [1], else_inputs = [1], then_outputs = [0], else_outputs = [0]}
    model "then" {
      %0 "a" = Parameter() {shape = [8]}
      %1 "victim" = Relu(%0)
      %2 "r" = Result(%1)
    }
    model "else" {
      %0 "a" = Parameter() {shape = [8]}
      %1 "victim" = Relu(%0)
      %2 "r" = Result(%1)
    }
    %4 "out" = Result(%3)
  })"));
  ASSERT_OK_AND_ASSIGN(const check::DataSet data, check::MakeDataSet(InputPorts(*model), 1));
  victim_.name = "victim";
  const std::vector<PassGroup> groups = {{&kReluToAbs}};
  ASSERT_OK_AND_ASSIGN(const Finding finding, Bisect(*model, groups, context_, data.inputs, options_));
  ASSERT_EQ(finding.outcome, Outcome::kRewriteParts);
  EXPECT_TRUE(finding.in_body);
  EXPECT_EQ(finding.before->node(finding.node).name(), "if");
  ASSERT_OK_AND_ASSIGN(const Reproducer reproducer, Reproduce(finding, context_, data.inputs, options_));
  EXPECT_FALSE(reproducer.is_whole);
  EXPECT_EQ(reproducer.model->node_count(), 4);
}

TEST_F(SearchTest, WritesAReproducerThatReadsBack) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(kSmall));
  ASSERT_OK_AND_ASSIGN(const check::DataSet data, check::MakeDataSet(InputPorts(*model), 1));
  victim_.name = "victim";
  const std::vector<PassGroup> groups = {{&kReluToMaximum, &kReluToAbs}};
  ASSERT_OK_AND_ASSIGN(const Finding finding, Bisect(*model, groups, context_, data.inputs, options_));
  const std::string folder = testing::TempDir() + "/reproducer";
  EXPECT_THAT(*WriteReproducer(finding, context_, data.inputs, options_, folder),
              HasSubstr("Reproducer: 3 nodes; by pass ReluToAbs alone:\nFAILED"));
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<ir::Model> read, opt::ReadGraph(&core_, folder + "/reproducer.txt"));
  ASSERT_OK_AND_ASSIGN(const check::DataSet saved, check::ReadDataSet(folder + "/test_data_set_0"));
  ASSERT_OK_AND_ASSIGN(const Finding again, Bisect(*read, groups, context_, saved.inputs, options_));
  ASSERT_EQ(again.outcome, Outcome::kRewriteParts);
  EXPECT_EQ(again.rewrite, 1);
}

TEST_F(SearchTest, NamesThePlantedRewriteOnARealModel) {
  BURIN_SKIP_WITHOUT_MODELS();
  const std::string folder = *ModelsDir() + "/mnist_burn";
  if (!std::filesystem::exists(folder + "/model.onnx")) GTEST_SKIP() << "there is no mnist_burn/model.onnx";
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<ir::Model> model, opt::ReadGraph(&core_, folder + "/model.onnx"));
  PlantAt(*model, 0);
  ASSERT_OK_AND_ASSIGN(const std::vector<std::string> sets, check::FindDataSets(folder));
  ASSERT_OK_AND_ASSIGN(const check::DataSet data, check::ReadDataSet(sets.front()));
  ASSERT_OK_AND_ASSIGN(options_.bound, check::DefaultBound(*model, {folder}));
  const std::vector<PassGroup> groups = WithPlanted({&kReluToMaximum, &kReluToAbs});
  ASSERT_OK_AND_ASSIGN(const Finding finding, Bisect(*model, groups, context_, data.inputs, options_));
  ASSERT_EQ(finding.outcome, Outcome::kRewriteParts);
  EXPECT_STREQ(finding.pass->name, "ReluToAbs");
  EXPECT_EQ(finding.node_name, victim_.name);
  ASSERT_OK_AND_ASSIGN(const Reproducer reproducer, Reproduce(finding, context_, data.inputs, options_));
  EXPECT_LE(reproducer.model->node_count(), 8);
}

}  // namespace
}  // namespace burin::bisect
