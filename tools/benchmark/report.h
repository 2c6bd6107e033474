// The files of -json_stats and -report_type: settings and results for other programs.
//
// JSON:
// {
//   "cmd_options": {option: value, both as given},
//   "configuration_setup": {"model", "execution_devices", "api", "requests", "input_sets", "properties": {device:
//   {...}}}, "execution_results": {
//     "execution_time", "iterations_num", "latency_median", "latency_avg", "latency_min", "latency_max", with
//     -latency_percentile 90 "latency_p90", and "first_inference_time", "load_model_time", "read_model_time", all in
//     milliseconds; "throughput" in frames per second; with -pcseq "latency_groups": [{"data_shape", "latency_..."}]
//   },
//   "performance_counters": where nodes were timed: [{"name", "status", "type", "op_names", "kernel", "isa", "layout",
//     "precision", "flops", "bytes" per execution, "real_time_us", "cpu_time_us" in all, "count", and, where known,
//     "limit" ("fma", "L1", ... "DRAM") and "limit_share", how near the node comes to it}], in the order of -pcsort
//   "performance_limits": the rates that these shares are of, "reference_time_us": of all nodes without a kernel
// }
// CSV: the same, without the counters, as sections of "name;value". Keys are benchmark_app's where it has them. A time
// that was not measured (without a warm-up, or where no model was read) is left out. Stateless, thread-safe.
#ifndef BURIN_TOOLS_BENCHMARK_REPORT_H_
#define BURIN_TOOLS_BENCHMARK_REPORT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/dev/profiling_info.h"
#include "tools/benchmark/device_config.h"
#include "tools/benchmark/roofline.h"
#include "tools/benchmark/settings.h"
#include "tools/benchmark/statistics.h"

namespace burin::benchmark {

// The latencies of the inferences that had one set of data shapes.
struct LatencyGroup {
  std::string shapes;
  Latency latency;
};

struct Report {
  Settings settings;
  Api api = Api::kAsync;
  DeviceConfig config;
  std::string execution_devices;  // As the compiled model says.
  int64_t requests = 1;
  int64_t input_sets = 1;
  std::optional<double> read_model_ms;
  double load_model_ms = 0;
  std::optional<double> first_inference_ms;
  Statistics statistics;
  std::vector<LatencyGroup> groups;
  std::vector<ProfilingInfo> counters;  // Empty where nodes were not timed.
  std::optional<Roofline> roofline;     // Where they were.
};

// Return the text of a file. Bytes of names that are no UTF-8 are replaced in JSON.
std::string ToJson(const Report& report);
std::string ToCsv(const Report& report);

}  // namespace burin::benchmark

#endif  // BURIN_TOOLS_BENCHMARK_REPORT_H_
