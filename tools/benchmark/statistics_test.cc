#include "tools/benchmark/statistics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace burin::benchmark {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(StatisticsTest, OddNumber) {
  const Latency latency = SummarizeLatencies({5, 1, 9});
  EXPECT_EQ(latency.median, 5);
  EXPECT_EQ(latency.average, 5);
  EXPECT_EQ(latency.min, 1);
  EXPECT_EQ(latency.max, 9);
}

TEST(StatisticsTest, EvenNumberTakesTheMeanOfTheMiddleTwo) {
  const Latency latency = SummarizeLatencies({8, 1, 2, 100});
  EXPECT_EQ(latency.median, 5);
  EXPECT_EQ(latency.average, 27.75);
  EXPECT_EQ(latency.min, 1);
  EXPECT_EQ(latency.max, 100);
}

TEST(StatisticsTest, PercentilesAreNearestRanks) {
  const std::vector<double> latencies = {10, 9, 8, 7, 6, 5, 4, 3, 2, 1};
  const auto at = [&](int64_t percentile) { return SummarizeLatencies(latencies, percentile).at_percentile; };
  EXPECT_EQ(at(1), 1);
  EXPECT_EQ(at(10), 1);
  EXPECT_EQ(at(11), 2);
  EXPECT_EQ(at(50), 5.5);  // The median.
  EXPECT_EQ(at(51), 6);
  EXPECT_EQ(at(90), 9);
  EXPECT_EQ(at(91), 10);
  EXPECT_EQ(at(100), 10);
  EXPECT_EQ(SummarizeLatencies({3}, 1).at_percentile, 3);
  EXPECT_EQ(SummarizeLatencies(latencies, 90).median, 5.5);
}

TEST(StatisticsTest, OneAndNone) {
  EXPECT_EQ(SummarizeLatencies({3}).median, 3);
  EXPECT_EQ(SummarizeLatencies({}).median, 0);
  EXPECT_EQ(Summarize({}, 0, 0).frames_per_second, 0);
}

TEST(StatisticsTest, ThroughputCountsFramesOverTheWholeDuration) {
  // Two requests at a time: the latencies add up to more than the duration.
  const Statistics statistics = Summarize({10, 10, 10, 10}, 20, 8);
  EXPECT_EQ(statistics.count, 4);
  EXPECT_EQ(statistics.frames_per_second, 400);
}

TEST(StatisticsTest, PrintsEveryFigure) {
  const std::string text = ToString(Summarize({1, 2, 6}, 12, 3));
  EXPECT_THAT(text, HasSubstr("Count:               3 iterations"));
  EXPECT_THAT(text, HasSubstr("Duration:            12.00 ms"));
  EXPECT_THAT(text, HasSubstr("Median:           2.00 ms"));
  EXPECT_THAT(text, HasSubstr("Average:          3.00 ms"));
  EXPECT_THAT(text, HasSubstr("Min:              1.00 ms"));
  EXPECT_THAT(text, HasSubstr("Max:              6.00 ms"));
  EXPECT_THAT(text, HasSubstr("Throughput:          250.00 FPS"));
  const std::string other = ToString(Summarize({1, 2, 6}, 12, 3, 99));
  EXPECT_THAT(other, HasSubstr("99 percentile:    6.00 ms"));
  EXPECT_THAT(other, Not(HasSubstr("Median")));
}

}  // namespace
}  // namespace burin::benchmark
