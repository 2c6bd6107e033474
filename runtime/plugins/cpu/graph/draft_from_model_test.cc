#include "runtime/plugins/cpu/graph/draft_from_model.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "ir/text.h"
#include "runtime/plugins/cpu/graph/fake_nodes_testlib.h"
#include "runtime/plugins/cpu/graph/graph_draft.h"
#include "runtime/plugins/cpu/graph/known_values.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(DraftFromModelTest, HasAStepForWhatIsComputed) {
  const absl::StatusOr<std::unique_ptr<ir::Model>> model = ir::ParseModel(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [2, 3]}
    %1 "relu" = Relu(%0)
    %2 "sum" = Add(%1, %0)
    %3 "y" = Result(%2)
    %4 "z" = Result(%0)
  })");
  ASSERT_OK(model.status());
  const absl::StatusOr<GraphDraft> draft = DraftFromModel(**model);
  ASSERT_OK(draft.status());
  EXPECT_THAT(StepNames(*draft), ElementsAre("relu", "sum"));
  ASSERT_EQ(draft->parameters.size(), 1);
  const int x = draft->parameters[0];
  EXPECT_EQ(draft->values[x].parameter, 0);
  EXPECT_THAT(draft->steps[1].inputs, ElementsAre(draft->steps[0].outputs[0], x));
  EXPECT_THAT(draft->results, ElementsAre(draft->steps[1].outputs[0], x));
  EXPECT_EQ(draft->steps[0].cost.flops, 6);
}

TEST(DraftFromModelTest, WhatFollowsFromShapesIsConstant) {
  const absl::StatusOr<std::unique_ptr<ir::Model>> model = ir::ParseModel(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [2, 3]}
    %1 "shape" = ShapeOf(%0) {output_type = i64}
    %2 "y" = Result(%1)
  })");
  ASSERT_OK(model.status());
  const absl::StatusOr<GraphDraft> draft = DraftFromModel(**model);
  ASSERT_OK(draft.status());
  EXPECT_TRUE(draft->steps.empty());
  EXPECT_TRUE(draft->values[draft->results[0]].is_constant());
}

TEST(DraftFromModelTest, APartHasInputsOfItsOwn) {
  const absl::StatusOr<std::unique_ptr<ir::Model>> model = ir::ParseModel(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [2, 3]}
    %1 "relu" = Relu(%0)
    %2 "w" = Constant() {value = f32[]{2}}
    %3 "sum" = Add(%1, %2)
    %4 "abs" = Abs(%3)
    %5 "y" = Result(%4)
  })");
  ASSERT_OK(model.status());
  const KnownValues known = KnownValues::Recorded(**model);
  constexpr ir::NodeId kRelu{1}, kSum{3};
  ModelPart part{model->get(), &known, {kSum}, {{kRelu, 0}}, {{kSum, 0}}};
  const absl::StatusOr<GraphDraft> draft = DraftFromPart(part);
  ASSERT_OK(draft.status());
  EXPECT_THAT(StepNames(*draft), ElementsAre("sum"));
  ASSERT_EQ(draft->steps[0].inputs.size(), 2);
  EXPECT_THAT(draft->parameters, ElementsAre(draft->steps[0].inputs[0]));
  EXPECT_TRUE(draft->values[draft->steps[0].inputs[1]].is_constant());
  EXPECT_THAT(draft->results, ElementsAre(draft->steps[0].outputs[0]));
  part.inputs.clear();
  EXPECT_THAT(DraftFromPart(part).status(),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("Nobody computes a value of node relu")));
}

TEST(DraftFromModelTest, NeedsShapes) {
  const absl::StatusOr<std::unique_ptr<ir::Model>> model = ir::ParseModel(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [?, 3]}
    %1 "y" = Result(%0)
  })");
  ASSERT_OK(model.status());
  EXPECT_THAT(DraftFromModel(**model).status(),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("Node x: the shape is dynamic")));
}

}  // namespace
}  // namespace burin::cpu
