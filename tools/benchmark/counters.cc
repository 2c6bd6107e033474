#include "tools/benchmark/counters.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/check.h"
#include "tools/benchmark/csv.h"

namespace burin::benchmark {

namespace {

int64_t TotalTime(const std::vector<ProfilingInfo>& counters) {
  int64_t total = 0;
  for (const ProfilingInfo& info : counters) total += info.real_time_ns;
  return total;
}

// Returns the time of one execution in microseconds.
double Average(int64_t nanoseconds, int64_t count) {
  return count == 0 ? 0 : static_cast<double>(nanoseconds) / static_cast<double>(count) / 1000;
}

double GigaflopsPerSecond(const ProfilingInfo& info) {
  if (info.real_time_ns == 0) return 0;
  return info.flops * static_cast<double>(info.count) / static_cast<double>(info.real_time_ns);
}

}  // namespace

std::vector<ProfilingInfo> MergeCounters(const std::vector<std::vector<ProfilingInfo>>& requests) {
  std::vector<ProfilingInfo> merged;
  for (const std::vector<ProfilingInfo>& request : requests) {
    if (merged.empty()) {
      merged = request;
      continue;
    }
    BURIN_CHECK_EQ(request.size(), merged.size());
    for (size_t i = 0; i < merged.size(); ++i) {
      BURIN_CHECK_EQ(request[i].node_name, merged[i].node_name);
      if (request[i].status == ProfilingInfo::Status::kExecuted) {
        merged[i].status = request[i].status;
        merged[i].flops = request[i].flops;
        merged[i].bytes = request[i].bytes;
      }
      merged[i].real_time_ns += request[i].real_time_ns;
      merged[i].cpu_time_ns += request[i].cpu_time_ns;
      merged[i].count += request[i].count;
    }
  }
  return merged;
}

std::vector<ProfilingInfo> SortedByTime(std::vector<ProfilingInfo> counters) {
  std::stable_sort(counters.begin(), counters.end(),
                   [](const ProfilingInfo& a, const ProfilingInfo& b) { return a.real_time_ns > b.real_time_ns; });
  return counters;
}

std::vector<ProfilingInfo> Ordered(std::vector<ProfilingInfo> counters, CounterOrder order) {
  if (order == CounterOrder::kByTime) return SortedByTime(std::move(counters));
  if (order == CounterOrder::kAsExecutedRunOnly) {
    const auto did_not_run = [](const ProfilingInfo& info) { return info.status != ProfilingInfo::Status::kExecuted; };
    counters.erase(std::remove_if(counters.begin(), counters.end(), did_not_run), counters.end());
  }
  return counters;
}

std::vector<double> TimeShares(const std::vector<ProfilingInfo>& counters) {
  const int64_t total = TotalTime(counters);
  std::vector<double> shares;
  for (const ProfilingInfo& info : counters) {
    shares.push_back(total == 0 ? 0 : static_cast<double>(info.real_time_ns) / static_cast<double>(total));
  }
  return shares;
}

const char* StatusName(ProfilingInfo::Status status) {
  switch (status) {
    case ProfilingInfo::Status::kNotRun:
      return "NOT_RUN";
    case ProfilingInfo::Status::kOptimizedOut:
      return "OPTIMIZED_OUT";
    case ProfilingInfo::Status::kExecuted:
      break;
  }
  return "EXECUTED";
}

std::string CounterTable(const std::vector<ProfilingInfo>& counters) {
  size_t width = 4;
  for (const ProfilingInfo& info : counters) width = std::max(width, info.node_name.size());
  const int columns = static_cast<int>(width);
  std::string table =
      absl::StrFormat("%-*s  %-13s  %-20s  %-20s  %-9s  %12s  %12s  %8s  %7s\n", columns, "node", "status", "operation",
                      "kernel", "precision", "real us", "cpu us", "GFLOP/s", "share");
  const std::vector<double> shares = TimeShares(counters);
  double real_us = 0;
  double cpu_us = 0;
  for (size_t i = 0; i < counters.size(); ++i) {
    const ProfilingInfo& info = counters[i];
    const double real = Average(info.real_time_ns, info.count);
    const double cpu = Average(info.cpu_time_ns, info.count);
    real_us += real;
    cpu_us += cpu;
    absl::StrAppendFormat(&table, "%-*s  %-13s  %-20s  %-20s  %-9s  %12.3f  %12.3f  %8.2f  %6.2f%%\n", columns,
                          info.node_name, StatusName(info.status), info.op_type, info.kernel, info.precision, real, cpu,
                          GigaflopsPerSecond(info), 100 * shares[i]);
  }
  absl::StrAppendFormat(&table, "%-*s  %-13s  %-20s  %-20s  %-9s  %12.3f  %12.3f\n", columns, "total", "", "", "", "",
                        real_us, cpu_us);
  return table;
}

std::string CounterCsv(const std::vector<std::vector<ProfilingInfo>>& tables) {
  std::string csv;
  for (const std::vector<ProfilingInfo>& counters : tables) {
    AppendCsvLine({"layerName", "execStatus", "layerType", "execType", "realTime (ms)", "cpuTime (ms)"}, &csv);
    double real_ms = 0;
    double cpu_ms = 0;
    for (const ProfilingInfo& info : counters) {
      const double real = Average(info.real_time_ns, info.count) / 1000;
      const double cpu = Average(info.cpu_time_ns, info.count) / 1000;
      real_ms += real;
      cpu_ms += cpu;
      AppendCsvLine(
          {info.node_name, StatusName(info.status), info.op_type, absl::StrCat(info.kernel, "_", info.precision),
           absl::StrFormat("%.6f", real), absl::StrFormat("%.6f", cpu)},
          &csv);
    }
    AppendCsvLine({"Total", "", "", "", absl::StrFormat("%.6f", real_ms), absl::StrFormat("%.6f", cpu_ms)}, &csv);
    csv += '\n';
  }
  return csv;
}

}  // namespace burin::benchmark
