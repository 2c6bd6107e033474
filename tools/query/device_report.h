// What a device says about itself before anything is compiled: versions and properties.
//
// Value type.
#ifndef BURIN_TOOLS_QUERY_DEVICE_REPORT_H_
#define BURIN_TOOLS_QUERY_DEVICE_REPORT_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "nlohmann/json.hpp"
#include "runtime/api/core.h"
#include "runtime/api/version.h"

namespace burin::query {

struct PropertyReport {
  std::string name;
  std::string access;  // "RW" or "RO".
  std::string value;
  // From the property table; empty for a property that a plugin has on its own. The last two only where access is RW.
  std::string type;
  std::string documentation;
  std::string allowed;
  std::string default_value;
};

struct DeviceReport {
  std::string name;  // As asked for, or that of the preferred device.
  std::map<std::string, Version> versions;
  std::vector<PropertyReport> properties;  // As SUPPORTED_PROPERTIES lists them.
};

// Asks the device, or the preferred one for an empty name. Errors as Core::GetVersions and Core::GetProperty give them.
absl::StatusOr<DeviceReport> QueryDevice(const Core& core, const std::string& device_name);

// Prints for people: a line per version, and per property its access, name and value, with the documentation below.
std::string ToText(const DeviceReport& report);
// {"name", "versions": {device: {"build", "description"}}, "properties": [{"name", "access", "value", "type",
// "documentation", "allowed", "default"}]}, without what is empty of the last four.
nlohmann::ordered_json ToJson(const DeviceReport& report);

}  // namespace burin::query

#endif  // BURIN_TOOLS_QUERY_DEVICE_REPORT_H_
