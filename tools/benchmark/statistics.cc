#include "tools/benchmark/statistics.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "absl/strings/str_format.h"

namespace burin::benchmark {

Latency SummarizeLatencies(std::vector<double> latencies_ms, int64_t percentile) {
  Latency latency;
  latency.percentile = percentile;
  if (latencies_ms.empty()) return latency;
  std::sort(latencies_ms.begin(), latencies_ms.end());
  const size_t count = latencies_ms.size();
  latency.median = (latencies_ms[(count - 1) / 2] + latencies_ms[count / 2]) / 2;
  const size_t rank = (static_cast<size_t>(percentile) * count + 99) / 100;  // From 1 on.
  latency.at_percentile = percentile == 50 ? latency.median : latencies_ms[rank - 1];
  latency.average = std::accumulate(latencies_ms.begin(), latencies_ms.end(), 0.0) / static_cast<double>(count);
  latency.min = latencies_ms.front();
  latency.max = latencies_ms.back();
  return latency;
}

Statistics Summarize(std::vector<double> latencies_ms, double duration_ms, int64_t frames, int64_t percentile) {
  Statistics statistics;
  statistics.count = static_cast<int64_t>(latencies_ms.size());
  statistics.duration_ms = duration_ms;
  statistics.latency = SummarizeLatencies(std::move(latencies_ms), percentile);
  if (duration_ms > 0) statistics.frames_per_second = 1000 * static_cast<double>(frames) / duration_ms;
  return statistics;
}

std::string ToString(const Latency& latency) {
  const std::string label =
      latency.percentile == 50 ? "Median:" : absl::StrFormat("%d percentile:", latency.percentile);
  return absl::StrFormat(
      "[ INFO ]    %-17s %.2f ms\n"
      "[ INFO ]    Average:          %.2f ms\n"
      "[ INFO ]    Min:              %.2f ms\n"
      "[ INFO ]    Max:              %.2f ms\n",
      label, latency.at_percentile, latency.average, latency.min, latency.max);
}

std::string ToString(const Statistics& statistics) {
  return absl::StrFormat(
      "[ INFO ] Count:               %d iterations\n"
      "[ INFO ] Duration:            %.2f ms\n"
      "[ INFO ] Latency:\n"
      "%s"
      "[ INFO ] Throughput:          %.2f FPS\n",
      statistics.count, statistics.duration_ms, ToString(statistics.latency), statistics.frames_per_second);
}

}  // namespace burin::benchmark
