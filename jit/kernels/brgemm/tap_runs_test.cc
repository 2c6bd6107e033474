#include "jit/kernels/brgemm/tap_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "jit/kernels/brgemm/brgemm_spec.h"

namespace burin::jit {
namespace {

BrgemmTap Tap(int64_t a, int64_t b, uint32_t rows = BrgemmTap::kAllRows) {
  BrgemmTap tap;
  tap.a_offset = a;
  tap.b_offset = b;
  tap.rows = rows;
  return tap;
}

std::vector<int> Counts(const std::vector<TapRun>& runs) {
  std::vector<int> counts;
  for (const TapRun& run : runs) counts.push_back(run.count);
  return counts;
}

TEST(TapRunsTest, RunsHaveEqualDistances) {
  // The rows of a window of 3 x 3.
  std::vector<BrgemmTap> taps;
  for (int64_t i = 0; i < 9; ++i) taps.push_back(Tap(i / 3 * 1000 + i % 3 * 64, i * 256));
  const std::vector<TapRun> runs = FindTapRuns(taps, 3);
  EXPECT_THAT(Counts(runs), testing::ElementsAre(3, 3, 3));
  EXPECT_EQ(runs[1].first.a_offset, 1000);
  EXPECT_EQ(runs[1].a_distance, 64);
  EXPECT_EQ(runs[1].b_distance, 256);
  EXPECT_THAT(Counts(FindTapRuns(taps, 4)), testing::ElementsAre(1, 1, 1, 1, 1, 1, 1, 1, 1));
}

TEST(TapRunsTest, RowsAndStepsAreEqual) {
  std::vector<BrgemmTap> taps = {Tap(0, 0), Tap(4, 4), Tap(8, 8), Tap(12, 12, 1), Tap(16, 16, 1), Tap(20, 20, 1)};
  EXPECT_THAT(Counts(FindTapRuns(taps, 2)), testing::ElementsAre(3, 3));
  taps[1].depth = 7;
  EXPECT_THAT(Counts(FindTapRuns(taps, 2)), testing::ElementsAre(1, 1, 1, 3));
  EXPECT_THAT(FindTapRuns({}, 2), testing::IsEmpty());
}

}  // namespace
}  // namespace burin::jit
