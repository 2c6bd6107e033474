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
