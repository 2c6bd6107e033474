#include "tools/benchmark/device_setup.h"

#include <utility>

#include "base/file.h"
#include "base/status_context.h"
#include "base/status_macros.h"
#include "runtime/api/properties.h"

namespace burin::benchmark {

absl::StatusOr<FoundDevices> FindDevices(const Core& core, const std::string& device) {
  FoundDevices found;
  BURIN_ASSIGN_OR_RETURN(found.versions, core.GetVersions(device));
  DeviceFacts& facts = found.facts;
  for (const auto& [name, version] : found.versions) facts.devices.push_back(name);
  if (device.empty()) {
    facts.name = facts.devices.front();
  } else {
    facts.name = device.substr(0, device.find(':'));
    if (found.versions.count(facts.name) == 0) facts.devices.push_back(facts.name);
  }
  BURIN_ASSIGN_OR_RETURN(facts.supported, core.GetProperty(facts.name, supported_properties));
  return found;
}

absl::StatusOr<ChosenConfig> ReadConfig(const Settings& settings, const DeviceFacts& facts) {
  DeviceConfig loaded;
  if (!settings.load_config.empty()) {
    BURIN_ASSIGN_OR_RETURN(const std::string json, ReadFile(settings.load_config));
    absl::StatusOr<DeviceConfig> parsed = ParseDeviceConfig(json);
    if (!parsed.ok()) return WithContext(parsed.status(), settings.load_config);
    loaded = *std::move(parsed);
  }
  return ChooseConfig(settings, facts, std::move(loaded));
}

absl::StatusOr<PropertyMap> ApplyConfig(const Settings& settings, const DeviceFacts& facts, const DeviceConfig& config,
                                        Core* core) {
  const bool is_virtual = settings.device.find(':') != std::string::npos;
  PropertyMap for_compilation;
  for (const auto& [device, properties] : config) {
    if (is_virtual && device == facts.name) {
      for_compilation = properties;
    } else {
      BURIN_RETURN_IF_ERROR(core->SetProperty(device, properties));
    }
  }
  return for_compilation;
}

}  // namespace burin::benchmark
