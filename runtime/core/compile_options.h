// The configuration of one call of the Core (CompileModel, QueryModel, ImportModel), put in order once.
//
// What a user gives is a device name and a map. What comes out is the plugin, the map that it gets, and what the Core
// acts on itself:
//   - DEVICE_PROPERTIES and DEVICE_PROPERTIES_<NAME> are taken apart. A hardware device gets the entries for itself,
//     which go before the map's plain ones: for an instance those of "GPU", then of "GPU.0", then of "GPU.0.1", the
//     later winning, and for one name DEVICE_PROPERTIES_<NAME> winning. A virtual device gets the entries of exactly
//     its name in the same way, and all others, as one DEVICE_PROPERTIES, for the devices behind it;
//   - what the name carries (an id, a list, a hint) becomes properties; the map may repeat it but not contradict it;
//   - the Core's own properties are taken out.
// What else is in the map goes to the plugin, which refuses what it does not know. Pure functions, thread-safe.
#ifndef BURIN_RUNTIME_CORE_COMPILE_OPTIONS_H_
#define BURIN_RUNTIME_CORE_COMPILE_OPTIONS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/core/device_name.h"
#include "runtime/dev/property_map.h"

namespace burin {

struct CompileOptions {
  std::string plugin;      // The internal plugin's name.
  DeviceReference device;  // The device that was asked for; its id may come from DEVICE_ID.
  PropertyMap properties;  // For the plugin.
  PropertyMap core;        // The Core's own properties that this call sets, checked.
};

// Returns whether the Core acts on a property itself and keeps its value: what SetProperty without a device may set on
// it, and GetProperty without a device read.
bool IsCoreProperty(absl::string_view name);

// Puts one call's configuration in order. `registered` are the names of all devices, in order of registration. Errors
// of GetInternalPluginName and of the texts in the map; InvalidArgument ("mismatch") where map and name contradict each
// other; NotFound where DEVICE_PROPERTIES names a device that is not registered.
absl::StatusOr<CompileOptions> NormalizeOptions(const std::string& device_name, const PropertyMap& given,
                                                const std::vector<std::string>& registered);

}  // namespace burin

#endif  // BURIN_RUNTIME_CORE_COMPILE_OPTIONS_H_
