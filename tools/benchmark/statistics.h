// What a series of inferences amounts to: count, duration, latencies, throughput.
//
// Stateless, thread-safe.
#ifndef BURIN_TOOLS_BENCHMARK_STATISTICS_H_
#define BURIN_TOOLS_BENCHMARK_STATISTICS_H_

#include <cstdint>
#include <string>
#include <vector>

namespace burin::benchmark {

// Latency of the requests, each from its start to the end of its result, in milliseconds.
struct Latency {
  double median = 0;
  int64_t percentile = 50;   // Which one the next field is.
  double at_percentile = 0;  // The least latency that so many percent of the requests did not exceed; 50: the median.
  double average = 0;
  double min = 0;
  double max = 0;
};

struct Statistics {
  int64_t count = 0;       // Inferences.
  double duration_ms = 0;  // From the start of the first one to the end of the last one.
  Latency latency;
  double frames_per_second = 0;
};

// Returns median, percentile (1 to 100, by nearest rank), average and extremes; the median of an even number is the
// mean of the middle two. All zero where there are none.
Latency SummarizeLatencies(std::vector<double> latencies_ms, int64_t percentile = 50);

// `frames` is the number of items that all inferences processed together: their batch sizes added up.
Statistics Summarize(std::vector<double> latencies_ms, double duration_ms, int64_t frames, int64_t percentile = 50);

// Prints Median (or "90 percentile"), Average, Min and Max, one "[ INFO ]" line each.
std::string ToString(const Latency& latency);

// Prints Count, Duration, Latency and Throughput, one "[ INFO ]" line each.
std::string ToString(const Statistics& statistics);

}  // namespace burin::benchmark

#endif  // BURIN_TOOLS_BENCHMARK_STATISTICS_H_
