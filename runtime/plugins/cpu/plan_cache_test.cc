#include "runtime/plugins/cpu/plan_cache.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "base/hash.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/model.h"
#include "ir/ops/op_testlib.h"
#include "ir/shape.h"
#include "ir/structural.h"
#include "ir/tensor.h"
#include "runtime/plugins/cpu/graph/fake_nodes_testlib.h"
#include "runtime/plugins/cpu/graph/graph_plan.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "runtime/plugins/cpu/mlp_testlib.h"
#include "runtime/plugins/cpu/segments/segment.h"
#include "runtime/plugins/cpu/segments/segment_planner.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

using ::testing::ElementsAre;

// y = relu(x), z = relu(x) + w.
constexpr char kModel[] = R"(model "" {
  %0 "x" = Parameter() {element_type = f32, shape = [n,4]}
  %1 "w" = Parameter() {element_type = f32, shape = [4]}
  %2 "relu" = Relu(%0)
  %3 "sum" = Add(%2, %1)
  %4 "y" = Result(%2)
  %5 "z" = Result(%3)
})";

class PlanCacheTest : public ::testing::Test {
 protected:
  PlanCacheTest() {
    nodes_.resize(static_cast<size_t>(model_->id_bound()));
    nodes_[2] = std::make_shared<FakeNode>();
    nodes_[3] = std::make_shared<FakeNode>();
    cache_ = std::make_unique<PlanCache>(model_.get(), nodes_, FakeContext().node);
  }

  std::shared_ptr<const ModelPlan> For(int64_t rows) { return cache_->For({{rows, 4}, {4}}).value(); }

  const std::unique_ptr<ir::Model> model_ = ModelOf(kModel);
  std::vector<std::shared_ptr<const Node>> nodes_;
  std::unique_ptr<PlanCache> cache_;
};

TEST_F(PlanCacheTest, FindsThePlanOfAShapeAgain) {
  const std::shared_ptr<const ModelPlan> three = For(3);
  const std::shared_ptr<const ModelPlan> seven = For(7);
  EXPECT_NE(three, seven);
  EXPECT_EQ(For(3), three);
  EXPECT_EQ(For(7), seven);
  EXPECT_THAT(three->outputs, ElementsAre(ir::Shape({3, 4}), ir::Shape({3, 4})));
  EXPECT_THAT(seven->outputs, ElementsAre(ir::Shape({7, 4}), ir::Shape({7, 4})));
}

TEST_F(PlanCacheTest, ANewShapeTransformsNothing) {
  const Hash128 before = ir::StructuralHash(*model_, {/*compare_names=*/true}).value();
  for (const int64_t rows : {1, 0, 5}) {
    const std::shared_ptr<const ModelPlan> plan = For(rows);
    ASSERT_EQ(plan->graph->steps().size(), 2U);
    EXPECT_EQ(plan->graph->steps()[0].name, "relu");
    EXPECT_EQ(plan->graph->steps()[1].name, "sum");
  }
  EXPECT_EQ(ir::StructuralHash(*model_, {/*compare_names=*/true}).value(), before);
}

TEST_F(PlanCacheTest, ForgetsWhatWasNotAskedForLongest) {
  const std::shared_ptr<const ModelPlan> first = For(0);
  const int64_t bytes = cache_->bytes();
  // Two steps with their primitives.
  EXPECT_GE(bytes, first->graph->bytes());
  EXPECT_GT(first->graph->bytes(), 2 * static_cast<int64_t>(sizeof(PlannedStep)));
  constexpr int64_t kMost = 5;
  cache_ = std::make_unique<PlanCache>(model_.get(), nodes_, FakeContext().node, /*always_segments=*/false,
                                       kMost * bytes + bytes / 2);
  // Held, so that what is made anew has another address.
  std::vector<std::shared_ptr<const ModelPlan>> plans;
  for (int64_t rows = 0; rows < kMost; ++rows) plans.push_back(For(rows));
  EXPECT_EQ(cache_->bytes(), kMost * bytes);
  EXPECT_EQ(For(0), plans[0]);
  plans.push_back(For(kMost));
  EXPECT_EQ(cache_->bytes(), kMost * bytes);
  EXPECT_EQ(For(0), plans[0]);
  EXPECT_EQ(For(2), plans[2]);
  EXPECT_EQ(For(kMost), plans.back());
  EXPECT_NE(For(1), plans[1]);
}

TEST_F(PlanCacheTest, TheLastPlanStaysHoweverLargeItIs) {
  cache_ = std::make_unique<PlanCache>(model_.get(), nodes_, FakeContext().node, /*always_segments=*/false,
                                       /*most_bytes=*/0);
  const std::shared_ptr<const ModelPlan> three = For(3);
  EXPECT_EQ(For(3), three);
  const std::shared_ptr<const ModelPlan> seven = For(7);
  EXPECT_EQ(For(7), seven);
  EXPECT_NE(For(3), three);
}

TEST_F(PlanCacheTest, RefusesShapesThatTheModelRefuses) {
  EXPECT_THAT(cache_->For({{3, 5}, {4}}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(cache_->For({{3, 4}, {4, 1}}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_OK(cache_->For({{3, 4}, {4}}));
}

TEST_F(PlanCacheTest, ThreadsGetOnePlanForOneShape) {
  std::vector<std::shared_ptr<const ModelPlan>> plans(8);
  std::vector<std::thread> threads;
  for (std::shared_ptr<const ModelPlan>& plan : plans) threads.emplace_back([this, &plan] { plan = For(9); });
  for (std::thread& thread : threads) thread.join();
  for (const std::shared_ptr<const ModelPlan>& plan : plans) EXPECT_EQ(plan, plans[0]);
}

class SegmentsOfPlanCacheTest : public ::testing::Test {
 protected:
  SegmentsOfPlanCacheTest() {
    MakeCache(PlanCache::kMostBytes);
    slots_.resize(static_cast<size_t>(cache_->slot_count()));
  }

  void MakeCache(int64_t most_bytes) {
    std::vector<std::shared_ptr<const Node>> nodes(static_cast<size_t>(model_->id_bound()));
    nodes[1] = nodes[2] = std::make_shared<FakeNode>();
    cache_ =
        std::make_unique<PlanCache>(model_.get(), nodes, FakeContext().node, /*always_segments=*/false, most_bytes);
  }

  // Returns the segment after the first where the cut has given this many columns.
  std::shared_ptr<const Segment> After(int64_t columns) {
    slots_[static_cast<size_t>(cache_->SlotOf({model_->FindNode("where"), 0}))] =
        ir::I64({1, columns}, std::vector<int64_t>(static_cast<size_t>(columns), 7));
    return cache_->Next(*cache_->For({{6}}).value()->segment, slots_, &key_).value();
  }

  const std::unique_ptr<ir::Model> model_ = ModelOf(R"(model "" {
    %0 "x" = Parameter() {element_type = f32, shape = [n]}
    %1 "where" = NonZero(%0) {output_type = i64}
    %2 "abs" = Abs(%1)
    %3 "y" = Result(%2)
  })");
  std::unique_ptr<PlanCache> cache_;
  std::vector<ir::Tensor> slots_;
  std::vector<int64_t> key_;
};

TEST_F(SegmentsOfPlanCacheTest, FindsWhatFollowsByTheShapesThatCutsGave) {
  const std::shared_ptr<const Segment> two = After(2);
  const std::shared_ptr<const Segment> three = After(3);
  EXPECT_NE(two, three);
  EXPECT_EQ(After(2), two);
  EXPECT_EQ(After(3), three);
  EXPECT_EQ(three->outputs[0].shape, ir::Shape({1, 3}));
}

TEST_F(SegmentsOfPlanCacheTest, WhatFollowsWithoutNewsIsPlannedAtOnce) {
  const std::unique_ptr<ir::Model> model = ModelOf(R"(model "" {
    variable "v" : f32[2]
    sinks(%3)
    %0 "x" = Parameter() {element_type = f32, shape = [2]}
    %1 "read" = ReadValue() {variable_id = "v", variable_type = f32, variable_shape = [2]}
    %2 "sum" = Add(%1, %0)
    %3 "assign" = Assign(%2) {variable_id = "v"}
    %4 "y" = Result(%2)
  })");
  std::vector<std::shared_ptr<const Node>> nodes(static_cast<size_t>(model->id_bound()));
  const auto refusing = std::make_shared<FakeNode>();
  refusing->creation = absl::ResourceExhaustedError("no kernel today");
  nodes[2] = refusing;
  PlanCache cache(model.get(), nodes, FakeContext().node);
  EXPECT_THAT(cache.For({{2}}).status(), StatusIs(absl::StatusCode::kResourceExhausted));
  refusing->creation = absl::OkStatus();
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<const ModelPlan> plan, cache.For({{2}}));
  EXPECT_FALSE(plan->segment->is_last);
  EXPECT_TRUE(plan->segment->findings.empty());
}

TEST_F(SegmentsOfPlanCacheTest, ForgetsWhatWasNotAskedForLongest) {
  ASSERT_OK(cache_->For({{6}}));
  const int64_t first = cache_->bytes();
  After(0);
  const int64_t each = cache_->bytes() - first;
  EXPECT_GT(each, 0);
  constexpr int64_t kMost = 5;
  MakeCache(first + kMost * each + each / 2);
  // Held, so that what is made anew has another address.
  std::vector<std::shared_ptr<const Segment>> segments;
  for (int64_t columns = 0; columns < kMost; ++columns) segments.push_back(After(columns));
  EXPECT_EQ(cache_->bytes(), first + kMost * each);
  EXPECT_EQ(After(0), segments[0]);
  segments.push_back(After(kMost));
  EXPECT_EQ(cache_->bytes(), first + kMost * each);
  EXPECT_EQ(After(0), segments[0]);
  EXPECT_NE(After(1), segments[1]);
}

}  // namespace
}  // namespace burin::cpu
