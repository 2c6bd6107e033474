#include "tools/kernel_bench/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <optional>
#include <random>
#include <vector>

#include "base/enum_names.h"
#include "jit/limits/sampler.h"

namespace burin::kernel_bench {
namespace {

using ::testing::HasSubstr;

std::vector<double> Around(double center, double spread, int count, uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> noise(-spread, spread);
  std::vector<double> values(static_cast<size_t>(count));
  for (double& value : values) value = center * (1 + noise(random));
  return values;
}

TEST(ComparisonTest, MedianOfOddEvenAndNone) {
  EXPECT_EQ(Median({3, 1, 2}), 2);
  EXPECT_EQ(Median({4, 1, 3, 2}), 2.5);
  EXPECT_EQ(Median({7}), 7);
  EXPECT_EQ(Median({}), 0);
}

TEST(ComparisonTest, IntervalHoldsTheMedianAndRepeats) {
  const std::vector<double> values = Around(2, 0.2, 21, 7);
  const Interval interval = BootstrapMedian(values);
  EXPECT_LE(interval.low, Median(values));
  EXPECT_GE(interval.high, Median(values));
  EXPECT_LT(interval.low, interval.high);
  EXPECT_EQ(BootstrapMedian(values).low, interval.low);
  EXPECT_EQ(BootstrapMedian({}).high, 0);
  const std::vector<double> same(9, 3.0);
  EXPECT_EQ(BootstrapMedian(same).low, 3);
  EXPECT_EQ(BootstrapMedian(same).high, 3);
}

// An interval of 95 % misses the true median in about one case of twenty.
TEST(ComparisonTest, IntervalCoversTheTrueMedian) {
  constexpr int kTrials = 200;
  int covered = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    const Interval interval = BootstrapMedian(Around(1, 0.1, 21, static_cast<uint32_t>(trial + 1)));
    covered += interval.low <= 1 && 1 <= interval.high ? 1 : 0;
  }
  EXPECT_GE(covered, kTrials * 88 / 100);
  EXPECT_LT(covered, kTrials);
}

TEST(ComparisonTest, Verdicts) {
  EXPECT_EQ(Comparison::OfRatios(Around(1.5, 0.01, 21, 1)).verdict, Verdict::kFaster);
  EXPECT_EQ(Comparison::OfRatios(Around(0.8, 0.01, 21, 1)).verdict, Verdict::kSlower);
  const Comparison equal = Comparison::OfRatios(Around(1.0, 0.01, 21, 1));
  EXPECT_EQ(equal.verdict, Verdict::kEqual);
  EXPECT_THAT(equal.ToString(), HasSubstr("equal within"));
}

TEST(ComparisonTest, InconclusiveWhereTheIntervalIsWideOrTheSamplesAreFew) {
  const Comparison wide = Comparison::OfRatios(Around(2, 0.5, 21, 3));
  EXPECT_EQ(wide.verdict, Verdict::kInconclusive);
  EXPECT_THAT(wide.ToString(), HasSubstr("too wide"));
  const Comparison few = Comparison::OfRatios({1.5, 1.5, 1.5, 1.5});
  EXPECT_EQ(few.verdict, Verdict::kInconclusive);
  EXPECT_THAT(few.ToString(), HasSubstr("rounds with both: 4"));
  EXPECT_EQ(Comparison::OfRatios({1.5, 1.5, 1.5, 1.5, 1.5}).verdict, Verdict::kFaster);
  EXPECT_THAT(Comparison::OfRatios({}).ToString(), HasSubstr("no round"));
}

TEST(ComparisonTest, RatiosAreTakenRoundByRoundInUnitsPerCycle) {
  jit::Samples first;
  jit::Samples second;
  second.units_per_repeat = 2;
  // Both get slower together from round to round; the first takes half the cycles for half the units.
  for (int round = 1; round <= 7; ++round) {
    first.cycles.emplace_back(10.0 * round);
    second.cycles.emplace_back(30.0 * round);
  }
  first.cycles[2] = std::nullopt;
  second.cycles[4] = std::nullopt;
  const Comparison comparison = Comparison::Of(first, second);
  EXPECT_EQ(comparison.samples, 5);
  EXPECT_DOUBLE_EQ(comparison.ratio, 1.5);
  EXPECT_EQ(comparison.verdict, Verdict::kFaster);
  EXPECT_EQ(Comparison::Of(first, jit::Samples()).samples, 0);
}

}  // namespace
}  // namespace burin::kernel_bench
