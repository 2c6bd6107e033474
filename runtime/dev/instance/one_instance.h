// What a device with one instance, which shares the memory of the host, has for properties.
//
// Such a plugin begins with these and adds what is its own (runtime/plugins/cpu/config.h). Stateless, thread-safe.
#ifndef BURIN_RUNTIME_DEV_INSTANCE_ONE_INSTANCE_H_
#define BURIN_RUNTIME_DEV_INSTANCE_ONE_INSTANCE_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "runtime/dev/configuration.h"
#include "runtime/dev/property_map.h"
#include "runtime/dev/property_table.h"

namespace burin {

// Returns the rows that `reader`, the kind of device ("CPU"), reads. DEVICE_ID may be "0" or nothing.
std::vector<PropertyInfo> OneInstanceRows(absl::string_view reader);

// Returns the defaults of the device that is called `device_name`, of `rows`.
Configuration OneInstanceConfiguration(const std::string& device_name, const std::vector<PropertyInfo>& rows);
// Returns the properties of a context of it, of the same rows: the instance alone.
Configuration OneInstanceContextConfiguration(const std::string& device_name, std::vector<PropertyInfo> rows);

// Returns the values of the read-only properties that all such devices answer alike: AVAILABLE_DEVICES,
// DEVICE_ARCHITECTURE, DEVICE_TYPE, EXECUTION_DEVICES.
PropertyMap OneInstanceFacts(const std::string& device_name);

}  // namespace burin

#endif  // BURIN_RUNTIME_DEV_INSTANCE_ONE_INSTANCE_H_
