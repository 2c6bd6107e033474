// The JSON file of -json_stats.
//
// {
//   "cmd_options": {option: value as given},
//   "configuration_setup": {"model", "execution_devices", "api", "requests", "input_sets"},
//   "execution_results": {
//     "execution_time", "iterations_num", "latency_median", "latency_avg", "latency_min", "latency_max" and
//     "first_inference_time", "load_model_time", "read_model_time" in milliseconds; "throughput" in frames per second
//   },
//   "performance_counters": with -pc alone: [{"name", "status", "type", "op_names", "kernel", "isa", "layout",
//     "precision", "flops", "bytes" per execution, "real_time_us", "cpu_time_us" in all, "count"}], slowest first
// }
// Keys are benchmark_app's where it has them. Stateless, thread-safe.
#ifndef BURIN_TOOLS_BENCHMARK_REPORT_H_
#define BURIN_TOOLS_BENCHMARK_REPORT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/dev/profiling_info.h"
#include "tools/benchmark/settings.h"
#include "tools/benchmark/statistics.h"

namespace burin::benchmark {

struct Report {
  Settings settings;
  std::string execution_devices;  // As the compiled model says.
  int64_t requests = 1;
  int64_t input_sets = 1;
  double read_model_ms = 0;
  double load_model_ms = 0;
  double first_inference_ms = 0;
  Statistics statistics;
  std::vector<ProfilingInfo> counters;  // Of -pc.
};

// Returns the text of the file. Bytes of names that are no UTF-8 are replaced.
std::string ToJson(const Report& report);

}  // namespace burin::benchmark

#endif  // BURIN_TOOLS_BENCHMARK_REPORT_H_
