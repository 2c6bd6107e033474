#include "tools/kernel_bench/summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tools/kernel_bench/bench_case.h"
#include "tools/kernel_bench/comparison.h"
#include "tools/kernel_bench/measurement.h"

namespace burin::kernel_bench {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

Comparison Ratio(double ratio) {
  Comparison comparison;
  comparison.ratio = ratio;
  comparison.samples = 9;
  return comparison;
}

// Of one kernel of ours, a yardstick of which it reaches `share`, and two peers.
CaseResult Case(const std::string& name, double share, double to_first, double to_second) {
  CaseResult result;
  result.family = "family";
  result.name = name;
  result.entrants.resize(4);
  result.entrants[0].role = Role::kYardstick;
  result.entrants[0].name = "loop";
  result.entrants[1].name = "own";
  result.entrants[1].shares = {{"loop", Ratio(share)}};
  result.entrants[2].role = Role::kPeer;
  result.entrants[3].role = Role::kPeer;
  result.pairs = {{1, 2, Ratio(to_first)}, {1, 3, Ratio(to_second)}};
  return result;
}

TEST(SummaryTest, TakesTheBestPeerOfEachCase) {
  const std::vector<SummaryLine> lines = Summarize({Case("a", 0.9, 2, 4), Case("b", 0.8, 1, 0.5)});
  ASSERT_THAT(lines, SizeIs(2));
  EXPECT_EQ(lines[0].other, "loop");
  ASSERT_THAT(lines[1].ratios, SizeIs(2));
  EXPECT_EQ(lines[1].own, "own");
  EXPECT_EQ(lines[1].other, "best peer");
  EXPECT_EQ(lines[1].ratios[0].case_name, "b");
  EXPECT_EQ(lines[1].ratios[0].ratio, 0.5);
  EXPECT_EQ(lines[1].ratios[1].ratio, 2);
  EXPECT_NEAR(lines[1].GeometricMean(), 1, 1e-9);
}

TEST(SummaryTest, QuantilesAreOfTheSortedRatios) {
  std::vector<CaseResult> cases;
  for (int i = 20; i >= 0; --i) cases.push_back(Case(std::to_string(i), 1 + i, 1, 1));
  const std::vector<SummaryLine> lines = Summarize(cases);
  EXPECT_EQ(lines[0].Quantile(0), 1);
  EXPECT_EQ(lines[0].Quantile(0.1), 3);
  EXPECT_EQ(lines[0].Quantile(1), 21);
  EXPECT_EQ(SummaryLine().Quantile(0.5), 0);
  EXPECT_EQ(SummaryLine().GeometricMean(), 0);
}

TEST(SummaryTest, ListsTheWorst) {
  const std::string text = FormatSummary(Summarize({Case("a", 0.9, 2, 4), Case("b", 0.8, 1, 0.5)}));
  EXPECT_THAT(text, HasSubstr("family, own against loop: cases 2, geometric mean 0.849, median 0.900, tenth 0.800; "
                              "worst: b 0.800, a 0.900\n"));
  EXPECT_EQ(FormatSummary({}), "");
}

TEST(SummaryTest, LeavesOutWhatWasNotMeasured) {
  CaseResult result = Case("a", 0, 0, 3);
  const std::vector<SummaryLine> lines = Summarize({result});
  ASSERT_THAT(lines, SizeIs(1));
  EXPECT_EQ(lines[0].ratios[0].ratio, 3);
}

}  // namespace
}  // namespace burin::kernel_bench
