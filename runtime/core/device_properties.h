// Properties for single devices, as one text: the value of DEVICE_PROPERTIES and of DEVICE_PROPERTIES_<NAME>.
//
//   DEVICE_PROPERTIES        {"CPU": {"NUM_STREAMS": 2}, "REFERENCE": {"PERF_COUNT": "YES"}}
//   DEVICE_PROPERTIES_CPU    {"NUM_STREAMS": 2}
//
// JSON, because lists and configuration files carry it as it is. Values are strings, numbers or booleans. Pure
// functions, thread-safe.
#ifndef BURIN_RUNTIME_CORE_DEVICE_PROPERTIES_H_
#define BURIN_RUNTIME_CORE_DEVICE_PROPERTIES_H_

#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "runtime/dev/property_map.h"

namespace burin {

// Device name, with or without an id, to its properties.
using DevicePropertyMap = std::map<std::string, PropertyMap>;

// Takes apart the value of DEVICE_PROPERTIES. `name` is the property's name, for errors: InvalidArgument for text that
// is no such object, a key that occurs twice, a value of another kind, or a device name that is none.
absl::StatusOr<DevicePropertyMap> ParseDeviceProperties(const std::string& name, const std::string& text);

// Takes apart the value of DEVICE_PROPERTIES_<NAME>: the properties of one device. Errors as above.
absl::StatusOr<PropertyMap> ParsePropertiesOfOneDevice(const std::string& name, const std::string& text);

// Return the texts that the functions above read back; every value is a string. JSON cannot carry bytes that are no
// UTF-8: they are replaced.
std::string PrintDeviceProperties(const DevicePropertyMap& properties);
std::string PrintPropertiesOfOneDevice(const PropertyMap& properties);

}  // namespace burin

#endif  // BURIN_RUNTIME_CORE_DEVICE_PROPERTIES_H_
