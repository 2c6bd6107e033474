// The benchmark's options: their names and meanings are benchmark_app's.
//
// An option is in the table once it has an effect that a test shows; every other one of benchmark_app is refused by
// name, so that nothing that was asked for is silently left out. Stateless, thread-safe.
#ifndef BURIN_TOOLS_BENCHMARK_SETTINGS_H_
#define BURIN_TOOLS_BENCHMARK_SETTINGS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

namespace burin::benchmark {

enum class Api { kSync, kAsync };

// What to write besides the printed figures.
enum class ReportType { kNone, kNoCounters, kAverageCounters, kDetailedCounters };

// Which nodes the table of -pc lists, and in which order.
enum class CounterOrder {
  kByTime,             // All, slowest first.
  kAsExecuted,         // All.
  kAsExecutedRunOnly,  // Those that ran.
};

struct Settings {
  bool help = false;
  // Whether a program asks over standard input and gets answers, instead of a measurement.
  bool worker = false;
  // The options as the user gave them, in the order of the table; a switch has no text.
  std::vector<std::pair<std::string, std::string>> given;

  std::string model;  // A file, or builtin:NAME.
  bool is_default_model = false;
  bool load_from_file = false;
  std::string device;  // Empty: the preferred one.

  // Of the device's configuration; texts are as the user wrote them, empty where not given.
  std::optional<std::string> hint;  // The value of PERFORMANCE_HINT; empty for none.
  std::optional<Api> api;           // Nothing: as the hint says.
  std::string streams;
  std::string threads;
  std::string pinning;
  std::string precision;
  std::string load_config;
  std::string dump_config;

  // Of the measurement.
  int64_t iterations = 0;  // 0: not limited.
  double seconds = 0;      // 0: not limited. One of the two limits is set.
  int64_t requests = 0;    // 0: as many as the compiled model calls optimal.
  double max_rate = 0;     // Frames per second; 0: not limited.
  bool warm_up = true;
  std::optional<bool> inference_only;

  // Of the model's ports and their data, as the user wrote them; empty where not given.
  std::string shape;
  std::string data_shape;
  std::string layout;
  int64_t batch = 0;  // 0: as the model has it.
  std::string input_type;
  std::string output_type;
  std::string port_types;
  std::string input;

  // Of what is printed and written.
  int64_t percentile = 50;
  bool counters = false;
  CounterOrder counter_order = CounterOrder::kByTime;
  bool latency_by_shape = false;
  ReportType report_type = ReportType::kNone;
  std::string report_folder;
  std::string json_path;
  std::string graph_path;
  std::string trace_path;

  // Returns whether nodes have to be timed.
  bool NeedsCounters() const {
    return counters || !graph_path.empty() || !trace_path.empty() || report_type == ReportType::kAverageCounters ||
           report_type == ReportType::kDetailedCounters;
  }
};

// Reads argv[1..]. InvalidArgument naming the option that is unknown, not supported, has a wrong value, or contradicts
// another one.
absl::StatusOr<Settings> ParseSettings(const std::vector<std::string>& arguments);

// Returns the text of -h.
std::string SettingsHelp();

}  // namespace burin::benchmark

#endif  // BURIN_TOOLS_BENCHMARK_SETTINGS_H_
