// The properties that a run sets: those of a file, overridden by options, and the hint that decides how requests run.
//
// Nothing here knows which properties a device has, but for the default hint: a device refuses what it does not have,
// and lists what it has. Stateless, thread-safe.
#ifndef BURIN_TOOLS_BENCHMARK_DEVICE_CONFIG_H_
#define BURIN_TOOLS_BENCHMARK_DEVICE_CONFIG_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/dev/property_map.h"
#include "tools/benchmark/settings.h"

namespace burin::benchmark {

// Device name -> properties.
using DeviceConfig = std::map<std::string, PropertyMap>;

// Reads {"DEVICE": {"NAME": "VALUE"}}. InvalidArgument for any other text.
absl::StatusOr<DeviceConfig> ParseDeviceConfig(const std::string& json);

// Returns text that ParseDeviceConfig reads.
std::string DeviceConfigToJson(const DeviceConfig& config);

// What is known of the device before it is configured.
struct DeviceFacts {
  std::string name;                    // The measured device, without what follows a colon.
  std::vector<std::string> devices;    // It, and those behind it.
  std::vector<std::string> supported;  // Its SUPPORTED_PROPERTIES: "NAME:RW", "NAME:RO".
};

struct ChosenConfig {
  DeviceConfig config;
  std::string default_hint;  // The hint where nobody gave one; else empty.
  Api api = Api::kAsync;
};

// Puts `loaded`, what -load_config read, and the options together. Where neither gives a hint, the device gets one if
// it can have one. InvalidArgument for a device that is not measured, in the file or in an option, listing those that
// are.
absl::StatusOr<ChosenConfig> ChooseConfig(const Settings& settings, const DeviceFacts& facts, DeviceConfig loaded);

}  // namespace burin::benchmark

#endif  // BURIN_TOOLS_BENCHMARK_DEVICE_CONFIG_H_
