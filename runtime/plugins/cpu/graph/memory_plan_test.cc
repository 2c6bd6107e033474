#include "runtime/plugins/cpu/graph/memory_plan.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

// Returns the plan, having checked that nothing overlaps.
MemoryPlan Plan(const std::vector<MemoryRequest>& requests, int64_t alignment = 1) {
  absl::StatusOr<MemoryPlan> plan = PlanMemory(requests, alignment);
  EXPECT_OK(plan.status());
  if (!plan.ok()) return MemoryPlan();
  EXPECT_EQ(plan->offsets.size(), requests.size());
  EXPECT_GE(plan->bytes, plan->least_bytes);
  for (size_t i = 0; i < requests.size(); ++i) {
    EXPECT_EQ(plan->offsets[i] % alignment, 0);
    EXPECT_GE(plan->offsets[i], 0);
    EXPECT_LE(plan->offsets[i] + requests[i].bytes, plan->bytes);
    for (size_t j = 0; j < i; ++j) {
      const bool together = requests[i].first <= requests[j].last && requests[j].first <= requests[i].last;
      const bool apart = plan->offsets[i] + requests[i].bytes <= plan->offsets[j] ||
                         plan->offsets[j] + requests[j].bytes <= plan->offsets[i];
      EXPECT_TRUE(!together || apart || requests[i].bytes == 0 || requests[j].bytes == 0) << i << " and " << j;
    }
  }
  return *plan;
}

TEST(MemoryPlanTest, NothingNeedsNothing) {
  EXPECT_EQ(Plan({}).bytes, 0);
  const MemoryPlan plan = Plan({{0, 3, 0}, {1, 1, 0}});
  EXPECT_EQ(plan.bytes, 0);
  EXPECT_EQ(plan.least_bytes, 0);
}

TEST(MemoryPlanTest, WhatIsNotAliveTogetherShares) {
  const MemoryPlan plan = Plan({{0, 1, 100}, {2, 3, 100}, {4, 4, 50}});
  EXPECT_EQ(plan.bytes, 100);
  EXPECT_EQ(plan.least_bytes, 100);
}

TEST(MemoryPlanTest, TheLastStepCounts) { EXPECT_EQ(Plan({{0, 1, 100}, {1, 2, 100}}).bytes, 200); }

TEST(MemoryPlanTest, OffsetsAreAligned) {
  const MemoryPlan plan = Plan({{0, 1, 1}, {0, 1, 65}, {0, 1, 64}}, 64);
  EXPECT_EQ(plan.bytes, 256);
  EXPECT_EQ(plan.least_bytes, 256);
}

TEST(MemoryPlanTest, AChainNeedsItsTwoLargestNeighbours) {
  std::vector<MemoryRequest> chain;
  for (int64_t i = 0; i < 50; ++i) chain.push_back({i, i + 1, 100 + 10 * (i % 7)});
  const MemoryPlan plan = Plan(chain);
  EXPECT_EQ(plan.bytes, plan.least_bytes);
}

TEST(MemoryPlanTest, AnOrderThatFailsIsImproved) {
  // The largest first leaves gaps that do not fit: found by search.
  const std::vector<MemoryRequest> requests = {{0, 2, 4}, {2, 4, 6}, {0, 0, 6}, {4, 4, 4}, {1, 1, 2}, {3, 3, 4}};
  const MemoryPlan plan = Plan(requests);
  EXPECT_EQ(plan.bytes, plan.least_bytes);
}

TEST(MemoryPlanTest, TheSameRequestsGiveTheSamePlan) {
  std::mt19937 random(7);
  std::vector<MemoryRequest> requests;
  for (int64_t i = 0; i < 80; ++i)
    requests.push_back({i, i + static_cast<int64_t>(random() % 9), static_cast<int64_t>(1 + random() % 999)});
  EXPECT_EQ(Plan(requests).offsets, Plan(requests).offsets);
}

// Graphs as they come: chains with branches and residual connections that live for some steps.
TEST(MemoryPlanTest, RandomGraphsStayNearTheLeast) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  constexpr int kRounds = 200;
  double ratios = 0;
  for (int round = 0; round < kRounds; ++round) {
    const int64_t count = 1 + random() % 60;
    std::vector<MemoryRequest> requests;
    for (int64_t step = 0; step < count; ++step) {
      const int64_t length = random() % 4 == 0 ? random() % 12 : 1;
      requests.push_back({step, step + length, static_cast<int64_t>(random() % 4096)});
    }
    const MemoryPlan plan = Plan(requests, 64);
    if (plan.least_bytes == 0) continue;
    const double ratio = static_cast<double>(plan.bytes) / static_cast<double>(plan.least_bytes);
    // Of 60,000 such graphs one was above 1.1, and the least cannot always be had.
    EXPECT_LE(ratio, 1.2) << "round " << round;
    ratios += ratio;
  }
  EXPECT_LE(ratios / kRounds, 1.02);
}

TEST(MemoryPlanTest, ManyRequestsArePlaced) {
  std::vector<MemoryRequest> requests;
  std::mt19937 random(3);
  for (int64_t i = 0; i < 3000; ++i) requests.push_back({i, i + 1 + static_cast<int64_t>(random() % 3), 1 + i % 100});
  const absl::StatusOr<MemoryPlan> plan = PlanMemory(requests, 64);
  ASSERT_OK(plan.status());
  EXPECT_LE(static_cast<double>(plan->bytes), 1.1 * static_cast<double>(plan->least_bytes));
}

TEST(MemoryPlanTest, RefusesWhatIsNoRequest) {
  EXPECT_THAT(PlanMemory({{3, 2, 8}}, 64).status(), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(PlanMemory({{0, 2, -8}}, 64).status(), StatusIs(absl::StatusCode::kInvalidArgument));
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  EXPECT_THAT(PlanMemory({{0, 2, kMost}}, 64).status(), StatusIs(absl::StatusCode::kResourceExhausted));
  EXPECT_THAT(PlanMemory({{0, 0, kMost / 2}, {1, 1, kMost / 2}, {2, 2, 64}}, 64).status(),
              StatusIs(absl::StatusCode::kResourceExhausted));
}

}  // namespace
}  // namespace burin::cpu
