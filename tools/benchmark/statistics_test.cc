#include "tools/benchmark/statistics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace burin::benchmark {
namespace {

using ::testing::HasSubstr;

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
}

}  // namespace
}  // namespace burin::benchmark
