// Finds the devices of a run and gives them their configuration: the first steps of every way to run the tool.
//
// Functions belong to the thread that uses the Core.
#ifndef BURIN_TOOLS_BENCHMARK_DEVICE_SETUP_H_
#define BURIN_TOOLS_BENCHMARK_DEVICE_SETUP_H_

#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/api/core.h"
#include "runtime/api/version.h"
#include "runtime/dev/property_map.h"
#include "tools/benchmark/device_config.h"
#include "tools/benchmark/settings.h"

namespace burin::benchmark {

// The devices of a run.
struct FoundDevices {
  DeviceFacts facts;
  std::map<std::string, Version> versions;  // By device.
};

// Finds the device, which has the form of Core's, and those behind it. Errors of Core::GetVersions().
absl::StatusOr<FoundDevices> FindDevices(const Core& core, const std::string& device);

// Reads the file of -load_config, if any, and puts it and the options together. Errors of reading files, naming the
// file, and of ChooseConfig().
absl::StatusOr<ChosenConfig> ReadConfig(const Settings& settings, const DeviceFacts& facts);

// Sets the properties of every device that is involved, so that one that cannot have them says so at once; returns
// those of a virtual device, which belong to its compilation. Errors of Core::SetProperty().
absl::StatusOr<PropertyMap> ApplyConfig(const Settings& settings, const DeviceFacts& facts, const DeviceConfig& config,
                                        Core* core);

}  // namespace burin::benchmark

#endif  // BURIN_TOOLS_BENCHMARK_DEVICE_SETUP_H_
