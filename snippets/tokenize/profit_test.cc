#include "snippets/tokenize/profit.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "snippets/tokenize/body_space.h"
#include "snippets/tokenize/fusion_report.h"

namespace burin::snippets {
namespace {

// Returns axes from the outermost on.
std::vector<SpaceAxis> Axes(const std::vector<double>& extents, AxisMask reduced = 0) {
  std::vector<SpaceAxis> axes;
  for (size_t i = 0; i < extents.size(); ++i) {
    SpaceAxis axis;
    axis.extent = extents[i];
    axis.depth = static_cast<int>(extents.size() - 1 - i);
    axis.is_reduced = (reduced >> i & 1) != 0;
    axes.push_back(axis);
  }
  return axes;
}

std::vector<SpaceWork> Work(AxisMask axes, double cheap, double dear) { return {{axes, cheap, dear, 0}}; }

TEST(CostOfKernel, CountsArithmeticAndMemory) {
  const KernelCost cost = CostOfKernel(Axes({4, 800}), Work(3, 1, 15), {}, 6400);
  // 3200 elements of 16 instructions, 32 of them in a cycle; 32 bytes a cycle.
  EXPECT_EQ(cost.cycles, 1600 + 200);
  EXPECT_EQ(cost.parallel, 3200);
  EXPECT_EQ(cost.instructions, 16);
  EXPECT_EQ(cost.repeated_cycles, 0);
  EXPECT_EQ(cost.buffer_bytes, 0);
  EXPECT_EQ(cost.Time(), 1800.0 / NominalMachine::kCores + NominalMachine::kStartCycles);
}

TEST(CostOfKernel, ReducedAxesAreNotShared) {
  const KernelCost cost = CostOfKernel(Axes({4, 800}, 2), Work(3, 1, 15), {}, 0);
  EXPECT_EQ(cost.parallel, 4);
  EXPECT_EQ(cost.buffer_bytes, 3200);
  EXPECT_EQ(cost.Time(), 1600.0 / 4 + NominalMachine::kStartCycles);
}

TEST(CostOfKernel, WhatIsCheapNeedsNoBuffer) {
  EXPECT_EQ(CostOfKernel(Axes({4, 800}, 2), Work(3, 6, 0), {}, 0).buffer_bytes, 0);
}

TEST(CostOfKernel, InnerAxesAloneAreComputedAgainOuterOnesAreNot) {
  EXPECT_EQ(CostOfKernel(Axes({50, 320}), Work(2, 0, 10), {}, 0).repeated_cycles, 49 * 100);
  EXPECT_EQ(CostOfKernel(Axes({50, 320}), Work(1, 0, 10), {}, 0).repeated_cycles, 0);
  EXPECT_EQ(CostOfKernel(Axes({50, 320}), Work(0, 0, 10), {}, 0).repeated_cycles, 0);
  EXPECT_EQ(CostOfKernel(Axes({50, 320}), Work(2, 10, 0), {}, 0).repeated_cycles, 0);
  EXPECT_EQ(CostOfKernel(Axes({50, 320}, 1), Work(2, 0, 10), {}, 0).repeated_cycles, 0);
}

TEST(CostOfKernel, WhatVariesAlongInnerAxesAloneIsWrittenAgain) {
  const std::vector<SpaceAxis> axes = Axes({50, 320});
  EXPECT_EQ(CostOfKernel(axes, {}, {{2, 1280}}, 0).repeated_cycles, 49 * 40);
  EXPECT_EQ(CostOfKernel(axes, {}, {{3, 64000}, {1, 200}}, 0).repeated_cycles, 0);
}

TEST(CostOfKernel, OnlyWhatIsKeptNeedsABuffer) {
  // A sum of rows, and a softmax of the sums.
  const std::vector<SpaceWork> work = {{7, 1, 0, 1}, {2, 0, 20, 0}};
  EXPECT_EQ(CostOfKernel(Axes({8, 1000, 169}, 6), work, {}, 0).buffer_bytes, 4000);
}

FusionReason ReasonOf(const KernelCost& a, const KernelCost& b, const KernelCost& both) {
  const auto why = WhyNoProfit(a, b, both);
  EXPECT_TRUE(why.has_value());
  if (!why.has_value()) return FusionReason::kCycle;
  EXPECT_FALSE(why->second.empty());
  return why->first;
}

TEST(WhyNoProfit, LessMemoryIsProfit) {
  const KernelCost one = CostOfKernel(Axes({1000, 1000}), Work(3, 1, 0), {}, 8e6);
  EXPECT_EQ(WhyNoProfit(one, one, CostOfKernel(Axes({1000, 1000}), Work(3, 2, 0), {}, 8e6)), std::nullopt);
}

TEST(WhyNoProfit, SmallKernelsAreWorthJoiningWhateverTheyAre) {
  const KernelCost scalar = CostOfKernel(Axes({1000}, 1), Work(1, 1, 0), {}, 4000);
  const KernelCost rest = CostOfKernel(Axes({1000}), Work(1, 1, 0), {}, 8000);
  EXPECT_EQ(WhyNoProfit(scalar, rest, CostOfKernel(Axes({1000}, 1), Work(1, 2, 0), {}, 12000)), std::nullopt);
}

TEST(WhyNoProfit, AReductionOfEverythingDoesNotTakeTheRestWithIt) {
  const KernelCost scalar = CostOfKernel(Axes({1e6}, 1), Work(1, 1, 0), {}, 4e6);
  const KernelCost rest = CostOfKernel(Axes({1e6}), Work(1, 16, 0), {}, 8e6);
  EXPECT_EQ(ReasonOf(scalar, rest, CostOfKernel(Axes({1e6}, 1), Work(1, 17, 0), {}, 12e6)), FusionReason::kParallelism);
}

TEST(WhyNoProfit, RepeatedWorkIsWeighed) {
  const KernelCost mask = CostOfKernel(Axes({1024, 1024}), Work(3, 0, 40), {}, 8e6);
  const KernelCost scores = CostOfKernel(Axes({96, 1024, 1024}), Work(7, 1, 0), {}, 8e8);
  std::vector<SpaceWork> both = {{6, 0, 40, 0}, {7, 1, 0, 0}};
  EXPECT_EQ(ReasonOf(mask, scores, CostOfKernel(Axes({96, 1024, 1024}), both, {}, 8e8)), FusionReason::kRecompute);
}

TEST(WhyNoProfit, ReductionsAlongDifferentAxesMustFitTheCache) {
  const KernelCost rows = CostOfKernel(Axes({8, 1000, 1000}, 4), Work(7, 0, 30), {}, 6.4e7);
  const KernelCost columns = CostOfKernel(Axes({8, 1000, 1000}, 2), Work(7, 0, 30), {}, 6.4e7);
  EXPECT_EQ(ReasonOf(rows, columns, CostOfKernel(Axes({8, 1000, 1000}, 6), Work(7, 0, 60), {}, 6.4e7)),
            FusionReason::kBuffer);
  const KernelCost small_rows = CostOfKernel(Axes({8, 100, 100}, 4), Work(7, 0, 30), {}, 6.4e5);
  const KernelCost small_columns = CostOfKernel(Axes({8, 100, 100}, 2), Work(7, 0, 30), {}, 6.4e5);
  EXPECT_EQ(WhyNoProfit(small_rows, small_columns, CostOfKernel(Axes({8, 100, 100}, 6), Work(7, 0, 60), {}, 6.4e5)),
            std::nullopt);
}

TEST(WhyNoProfit, CodeHasALimit) {
  const KernelCost one = CostOfKernel(Axes({1000}), Work(1, 3000, 0), {}, 8000);
  EXPECT_EQ(ReasonOf(one, one, CostOfKernel(Axes({1000}), Work(1, 6000, 0), {}, 8000)), FusionReason::kCodeSize);
}

TEST(WhyNoProfit, TheCodeOfAnEpilogueHasALowerLimit) {
  const KernelCost one = CostOfKernel(Axes({1000}), Work(1, 700, 0), {}, 8000);
  const KernelCost both = CostOfKernel(Axes({1000}), Work(1, 1400, 0), {}, 8000);
  EXPECT_EQ(WhyNoProfit(one, one, both), std::nullopt);
  const auto why = WhyNoProfit(one, one, both, /*has_dense_anchor=*/true);
  ASSERT_TRUE(why.has_value());
  EXPECT_EQ(why->first, FusionReason::kCodeSize);
}

}  // namespace
}  // namespace burin::snippets
