#include "tools/opt/optimize.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "ir/text.h"
#include "testing/gtest/status_matchers.h"
#include "transformations/driver.h"
#include "transformations/pipelines.h"

namespace burin::opt {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using transformations::PipelineOptions;
using transformations::Stage;

// Two constants to fold, and a Transpose that does not cancel with another.
constexpr char kText[] = R"(model "" {
  %0 "x" = Parameter() {shape = [2,3]}
  %1 "a" = Constant() {value = f32[]{1}}
  %2 "b" = Constant() {value = f32[]{2}}
  %3 "sum" = Add(%1, %2) from("user sum")
  %4 "twice" = Multiply(%3, %3)
  %5 "y" = Multiply(%0, %4) from("user y")
  %6 "order" = Constant() {value = i64[2]{1, 0}}
  %7 "turned" = Transpose(%5, %6)
  %8 "out" = Result(%7)
})";

std::unique_ptr<ir::Model> Parsed() { return *ir::ParseModel(kText); }

TEST(OptimizeTest, ReadsStagesAndPasses) {
  EXPECT_THAT(*ParseStages(""), ElementsAre(Stage::kUpToLpt, Stage::kPostLpt));
  EXPECT_THAT(*ParseStages("PostLpt,UpToLpt"), ElementsAre(Stage::kPostLpt, Stage::kUpToLpt));
  EXPECT_THAT(ParseStages("Lpt"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("UpToLpt, PostLpt; got: Lpt")));
  EXPECT_THAT(*ParsePasses(""), IsEmpty());
  EXPECT_THAT(*ParsePasses("DeadCode,ConstantFolding"), ElementsAre("DeadCode", "ConstantFolding"));
  EXPECT_THAT(ParsePasses("DeadCode,None"), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("TransposeChains")));
  EXPECT_THAT(ParsePasses("DeadCode,None"), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("got: None")));
}

TEST(OptimizeTest, ListsEveryPass) {
  EXPECT_THAT(ListPasses(), HasSubstr("ConstantFolding (rule, exact)\n    f(constants) => constant\n"));
  EXPECT_THAT(ListPasses(), HasSubstr("DeadCode (whole graph, exact)\n"));
}

TEST(OptimizeTest, RunsStagesOnACopy) {
  const std::unique_ptr<ir::Model> model = Parsed();
  ASSERT_OK_AND_ASSIGN(const Optimized optimized, Optimize(*model, {Stage::kUpToLpt, Stage::kPostLpt}, {}));
  EXPECT_EQ(model->node_count(), 9);
  EXPECT_EQ(optimized.model->FindNode("sum"), ir::NodeId::kNone);
  EXPECT_GE(optimized.report.rewrites, 2);
  EXPECT_EQ(optimized.report.nodes_before, 9);
  EXPECT_EQ(optimized.report.nodes_after, optimized.model->node_count());
}

TEST(OptimizeTest, StopsAndDisables) {
  PipelineOptions one;
  one.stop_after_rewrite = 1;
  ASSERT_OK_AND_ASSIGN(const Optimized stopped, Optimize(*Parsed(), {Stage::kUpToLpt, Stage::kPostLpt}, one));
  EXPECT_EQ(stopped.report.rewrites, 1);
  EXPECT_TRUE(stopped.report.stopped);
  PipelineOptions without;
  without.disabled = {"ConstantFolding", "ShapeOfArithmetic"};
  ASSERT_OK_AND_ASSIGN(const Optimized kept, Optimize(*Parsed(), {Stage::kUpToLpt}, without));
  EXPECT_NE(kept.model->FindNode("sum"), ir::NodeId::kNone);
}

TEST(OptimizeTest, SaysWhyAPassDoesNotFire) {
  const std::unique_ptr<ir::Model> model = Parsed();
  EXPECT_THAT(*ExplainAt(*model, "turned:TransposeChains"),
              HasSubstr("TransposeChains does not fire at %7 \"turned\""));
  EXPECT_THAT(*ExplainAt(*model, "turned:TransposeChains"), HasSubstr("\n  "));
  EXPECT_THAT(*ExplainAt(*model, "sum:ConstantFolding"), HasSubstr("ConstantFolding fires at"));
  EXPECT_THAT(*ExplainAt(*model, "user sum:ConstantFolding"), HasSubstr("fires at %3 \"sum\""));
  EXPECT_THAT(*ExplainAt(*model, "%3:ConstantFolding"), HasSubstr("fires at %3 \"sum\""));
}

TEST(OptimizeTest, RefusesWhatCannotBeExplained) {
  const std::unique_ptr<ir::Model> model = Parsed();
  EXPECT_THAT(ExplainAt(*model, "turned"), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("NODE:PASS")));
  EXPECT_THAT(ExplainAt(*model, "turned:None"), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("got: None")));
  EXPECT_THAT(ExplainAt(*model, "none:DeadCode"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("whole-graph pass")));
  EXPECT_THAT(ExplainAt(*model, "none:ConstantFolding"), StatusIs(absl::StatusCode::kNotFound, HasSubstr("\"none\"")));
  EXPECT_THAT(ExplainAt(*model, "%99:ConstantFolding"), StatusIs(absl::StatusCode::kNotFound, HasSubstr("%99")));
}

TEST(OptimizeTest, FindsNodesOfBodies) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ir::Model> model, ir::ParseModel(R"(model "" {
    %0 "c" = Parameter() {element_type = boolean, shape = []}
    %1 "x" = Parameter() {shape = [2]}
    %2 "if" = If(%0, %1) {then_inputs = [1], else_inputs = [1], then_outputs = [0], else_outputs = [0]}
    model "then" {
      %0 "a" = Parameter() {shape = [2]}
      %1 "inner" = Abs(%0)
      %2 "r" = Result(%1)
    }
    model "else" {
      %0 "a" = Parameter() {shape = [2]}
      %1 "r" = Result(%0)
    }
    %3 "out" = Result(%2)
  })"));
  EXPECT_THAT(*ExplainAt(*model, "inner:ConstantFolding"), HasSubstr("\"inner\" = Abs(%0)"));
}

}  // namespace
}  // namespace burin::opt
