// The benchmark's options: their names and meanings are benchmark_app's.
//
// An option is in the table once it has an effect that a test shows; every other one of benchmark_app is refused by
// name, so that nothing that was asked for is silently left out. Stateless, thread-safe.
#ifndef BURIN_TOOLS_BENCHMARK_SETTINGS_H_
#define BURIN_TOOLS_BENCHMARK_SETTINGS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace burin::benchmark {

enum class Api { kSync, kAsync };

struct Settings {
  bool help = false;
  std::string model;  // A file, or builtin:NAME.
  bool is_default_model = false;
  std::string device;  // Empty: the preferred one.
  Api api = Api::kAsync;
  int64_t iterations = 0;  // 0: not limited.
  double seconds = 0;      // 0: not limited. One of the two limits is set.
  std::string shape;       // As the user wrote them; empty where not given.
  std::string data_shape;
  std::string input;
  bool counters = false;
  std::string json_path;
};

// Reads argv[1..]. InvalidArgument naming the option that is unknown, not supported, or has a wrong value.
absl::StatusOr<Settings> ParseSettings(const std::vector<std::string>& arguments);

// Returns the text of -h.
std::string SettingsHelp();

}  // namespace burin::benchmark

#endif  // BURIN_TOOLS_BENCHMARK_SETTINGS_H_
