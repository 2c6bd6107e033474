// The properties of the CPU device.
//
// Stateless, thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_CONFIG_H_
#define BURIN_RUNTIME_PLUGINS_CPU_CONFIG_H_

#include <cstdint>
#include <string>

#include "runtime/dev/configuration.h"
#include "runtime/dev/property_map.h"

namespace burin::cpu {

// Returns the defaults, and what may be set, of the device called `device_name`.
Configuration DefaultConfiguration(const std::string& device_name);
// As above, of its contexts.
Configuration ContextConfiguration(const std::string& device_name);

// Returns the answers for read-only properties of the device, and of a compiled model of so many streams.
PropertyMap DeviceFacts(const std::string& device_name);
PropertyMap ModelFacts(const std::string& device_name, const std::string& model_name, int64_t streams);

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_CONFIG_H_
