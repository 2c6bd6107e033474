#include "tools/benchmark/counters.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "tools/benchmark/csv.h"

namespace burin::benchmark {

namespace {

// What profiles call code that is no generated kernel.
constexpr char kReferenceKernel[] = "reference";

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

// Adds what another request measured of the node.
void Add(const ProfilingInfo& info, ProfilingInfo* sum) {
  if (info.status == ProfilingInfo::Status::kExecuted) {
    sum->status = info.status;
    sum->flops = info.flops;
    sum->bytes = info.bytes;
    sum->kernel = info.kernel;
    sum->isa = info.isa;
    sum->layout = info.layout;
  }
  sum->real_time_ns += info.real_time_ns;
  sum->cpu_time_ns += info.cpu_time_ns;
  sum->count += info.count;
}

// Cells of a table, by line; the first line is the head.
std::string Align(const std::vector<std::vector<std::string>>& lines, size_t left_columns) {
  std::vector<size_t> widths(lines.front().size(), 0);
  for (const std::vector<std::string>& line : lines) {
    for (size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  }
  std::string text;
  for (const std::vector<std::string>& line : lines) {
    std::string row;
    for (size_t i = 0; i < line.size(); ++i) {
      const int width = static_cast<int>(widths[i]);
      absl::StrAppendFormat(&row, "%s%*s", i == 0 ? "" : "  ", i < left_columns ? -width : width, line[i]);
    }
    absl::StripTrailingAsciiWhitespace(&row);
    absl::StrAppend(&text, row, "\n");
  }
  return text;
}

}  // namespace

std::vector<ProfilingInfo> MergeCounters(const std::vector<std::vector<ProfilingInfo>>& requests) {
  std::vector<ProfilingInfo> merged;
  absl::flat_hash_map<std::string, size_t> index;
  for (const std::vector<ProfilingInfo>& request : requests) {
    for (const ProfilingInfo& info : request) {
      const auto [found, is_new] = index.emplace(info.node_name, merged.size());
      if (is_new) {
        merged.push_back(info);
      } else {
        Add(info, &merged[found->second]);
      }
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

ReferenceTime SumReferenceTime(const std::vector<ProfilingInfo>& counters) {
  ReferenceTime time;
  for (const ProfilingInfo& info : counters) {
    const double microseconds = static_cast<double>(info.real_time_ns) / 1000;
    time.all_us += microseconds;
    if (info.kernel == kReferenceKernel) time.reference_us += microseconds;
  }
  return time;
}

std::string CounterTable(const std::vector<ProfilingInfo>& counters, const Roofline& roofline) {
  std::vector<std::vector<std::string>> lines = {{"node", "status", "operation", "kernel", "isa", "layout", "precision",
                                                  "real us", "cpu us", "share", "GFLOP/s", "MB", "limit"}};
  constexpr size_t kTexts = 7;
  const std::vector<double> shares = TimeShares(counters);
  double real_us = 0;
  double cpu_us = 0;
  for (size_t i = 0; i < counters.size(); ++i) {
    const ProfilingInfo& info = counters[i];
    const double real = Average(info.real_time_ns, info.count);
    const double cpu = Average(info.cpu_time_ns, info.count);
    real_us += real;
    cpu_us += cpu;
    const std::optional<NodeLimit> limit = roofline.LimitOf(info);
    lines.push_back({info.node_name, StatusName(info.status), info.op_type, info.kernel, info.isa, info.layout,
                     info.precision, absl::StrFormat("%.3f", real), absl::StrFormat("%.3f", cpu),
                     absl::StrFormat("%.2f%%", 100 * shares[i]), absl::StrFormat("%.2f", GigaflopsPerSecond(info)),
                     absl::StrFormat("%.3f", info.bytes / 1e6),
                     limit.has_value() ? absl::StrFormat("%3.0f%% %-4s", 100 * limit->share, limit->of) : "-"});
  }
  lines.push_back({"total", "", "", "", "", "", "", absl::StrFormat("%.3f", real_us), absl::StrFormat("%.3f", cpu_us)});
  const ReferenceTime time = SumReferenceTime(counters);
  return absl::StrCat(
      Align(lines, kTexts), "Limits: ", roofline.ToString(), "\n",
      absl::StrFormat("Reference code: %.3f us of %.3f us in all executions (%.2f%%)\n", time.reference_us, time.all_us,
                      time.all_us > 0 ? 100 * time.reference_us / time.all_us : 0.0));
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
