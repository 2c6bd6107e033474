#include "runtime/plugins/cpu/segments/segment_planner.h"

#include <cstddef>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "ir/ops/op_testlib.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "ir/text.h"
#include "jit/code_cache.h"
#include "jit/isa/target.h"
#include "runtime/plugins/cpu/graph/graph_plan.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "runtime/plugins/cpu/segments/segment.h"
#include "runtime/plugins/cpu/segments/segments_testlib.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// y: the magnitudes of where exp(x) is not 0; z = sqrt(x) + 1, of which the root is there before.
constexpr absl::string_view kWhere = R"(model "" {
  %0 "x" = Parameter() {element_type = f32, shape = [n]}
  %1 "exp" = Exp(%0)
  %2 "where" = NonZero(%1) {output_type = i64}
  %3 "abs" = Abs(%2)
  %4 "sqrt" = Sqrt(%0)
  %5 "y" = Result(%3)
  %6 "z" = Result(%4)
})";

class SegmentPlannerTest : public ::testing::Test {
 protected:
  void Load(absl::string_view text) {
    model_ = ir::ParseModel(text).value();
    NodeContext context{jit::Target::Host().value()};
    context.code_cache = &jit::CodeCache::Process();
    planner_ = std::make_unique<SegmentPlanner>(model_.get(), NodesOf(*model_), context);
    slots_.assign(static_cast<size_t>(planner_->slot_count()), ir::Tensor());
  }
  int SlotOf(absl::string_view name) { return planner_->SlotOf({model_->FindNode(name), 0}); }
  void Set(absl::string_view name, const ir::Tensor& tensor) { slots_[static_cast<size_t>(SlotOf(name))] = tensor; }

  std::unique_ptr<ir::Model> model_;
  std::unique_ptr<SegmentPlanner> planner_;
  std::vector<ir::Tensor> slots_;
};

TEST_F(SegmentPlannerTest, AModelWithoutCutsIsOneGraph) {
  Load(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [n]}
    %1 "w" = Parameter() {element_type = f32, shape = [2]}
    %2 "exp" = Exp(%0)
    %3 "y" = Result(%2)
    %4 "z" = Result(%2)
  })");
  ASSERT_OK_AND_ASSIGN(const ModelPlan plan, planner_->Begin({{3}, {2}}, /*always_segments=*/false));
  ASSERT_NE(plan.graph, nullptr);
  EXPECT_EQ(plan.segment, nullptr);
  EXPECT_EQ(plan.graph->input_count(), 2U);
  EXPECT_EQ(plan.graph->output_count(), 2U);
  EXPECT_THAT(plan.outputs, ElementsAre(ir::Shape({3}), ir::Shape({3})));

  ASSERT_OK_AND_ASSIGN(const ModelPlan other, planner_->Begin({{3}, {2}}, /*always_segments=*/true));
  EXPECT_EQ(other.graph, nullptr);
  ASSERT_NE(other.segment, nullptr);
  EXPECT_TRUE(other.segment->is_last);
  EXPECT_THAT(other.segment->inputs, ElementsAre(SlotOf("x")));
  ASSERT_EQ(other.segment->outputs.size(), 1U);
  ASSERT_EQ(other.segment->results.size(), 2U);
  EXPECT_EQ(other.segment->results[0].slot, SlotOf("exp"));
  EXPECT_EQ(other.segment->results[1].slot, SlotOf("exp"));
}

TEST_F(SegmentPlannerTest, ACutDividesTheModel) {
  Load(kWhere);
  ASSERT_OK_AND_ASSIGN(const ModelPlan plan, planner_->Begin({{4}}, /*always_segments=*/false));
  ASSERT_NE(plan.segment, nullptr);
  const Segment& first = *plan.segment;
  EXPECT_THAT(GraphOf(first), ElementsAre("exp", "sqrt"));
  EXPECT_THAT(CutsOf(first), ElementsAre("where"));
  EXPECT_FALSE(first.is_last);
  EXPECT_THAT(first.released, ElementsAre(SlotOf("x"), SlotOf("exp")));

  Set("where", ir::I64({1, 3}, {0, 1, 3}));
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<const Segment> second, planner_->Next(first, slots_));
  EXPECT_THAT(GraphOf(*second), ElementsAre("abs"));
  EXPECT_THAT(second->inputs, ElementsAre(SlotOf("where")));
  ASSERT_EQ(second->outputs.size(), 1U);
  EXPECT_EQ(second->outputs[0].shape, ir::Shape({1, 3}));
  EXPECT_TRUE(second->is_last);
  EXPECT_EQ(second->results[0].slot, SlotOf("abs"));
  EXPECT_EQ(second->results[1].slot, SlotOf("sqrt"));
}

TEST_F(SegmentPlannerTest, WhatFollowsFromShapesIsAConstantOfTheNextSegment) {
  Load(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [4]}
    %1 "where" = NonZero(%0) {output_type = i64}
    %2 "shape" = ShapeOf(%1) {output_type = i64}
    %3 "y" = Result(%2)
  })");
  ASSERT_OK_AND_ASSIGN(const ModelPlan plan, planner_->Begin({{4}}, /*always_segments=*/false));
  Set("where", ir::I64({1, 2}, {0, 1}));
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<const Segment> second, planner_->Next(*plan.segment, slots_));
  EXPECT_THAT(GraphOf(*second), IsEmpty());
  ASSERT_EQ(second->results.size(), 1U);
  ir::ExpectTensorEq(second->results[0].constant, ir::I64({2}, {1, 2}));
}

TEST_F(SegmentPlannerTest, AContentIsPlannedFor) {
  Load(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [2, 9]}
    %1 "k" = Parameter() {element_type = i64, shape = []}
    %2 "top" = TopK(%0, %1) {axis = 1, mode = max, sort = value, index_element_type = i64}
    %3 "y" = Result(%2)
  })");
  ASSERT_OK_AND_ASSIGN(const ModelPlan plan, planner_->Begin({{2, 9}, {}}, /*always_segments=*/false));
  ASSERT_NE(plan.segment, nullptr);
  EXPECT_THAT(CutsOf(*plan.segment), IsEmpty());
  ASSERT_EQ(plan.segment->findings.size(), 1U);
  EXPECT_EQ(plan.segment->findings[0].slot, SlotOf("k"));
  EXPECT_TRUE(plan.segment->findings[0].content);
  Set("k", ir::I64({}, {5}));
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<const Segment> second, planner_->Next(*plan.segment, slots_));
  EXPECT_THAT(GraphOf(*second), ElementsAre("top"));
  EXPECT_EQ(second->outputs[0].shape, ir::Shape({2, 5}));
}

TEST_F(SegmentPlannerTest, RefusesWhatTheModelRefuses) {
  Load(kWhere);
  EXPECT_THAT(planner_->Begin({{4, 4}}, /*always_segments=*/false).status(), IsOk());
  Load(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [n]}
    %1 "w" = Parameter() {element_type = f32, shape = [m]}
    %2 "add" = Add(%0, %1)
    %3 "y" = Result(%2)
  })");
  EXPECT_THAT(planner_->Begin({{4}, {3}}, /*always_segments=*/false).status(),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace burin::cpu
