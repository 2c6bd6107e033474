// The REFERENCE device's properties: which it takes, and what it answers for those that are facts.
//
// Stateless, thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_REFERENCE_CONFIG_H_
#define BURIN_RUNTIME_PLUGINS_REFERENCE_CONFIG_H_

#include <string>

#include "runtime/dev/configuration.h"
#include "runtime/dev/property_map.h"

namespace burin::reference {

// Returns the defaults of a device of this kind that is called `device_name`. DEVICE_ID may be empty or "0": there is
// one instance.
Configuration DefaultConfiguration(const std::string& device_name);

// Returns the properties of a context of the device: the instance alone.
Configuration ContextConfiguration(const std::string& device_name);

// Returns the values of the read-only properties of the device, but SUPPORTED_PROPERTIES.
PropertyMap DeviceFacts(const std::string& device_name);

// Returns the values of the read-only properties of a model that was compiled for it, but SUPPORTED_PROPERTIES.
PropertyMap ModelFacts(const std::string& device_name, const std::string& model_name);

}  // namespace burin::reference

#endif  // BURIN_RUNTIME_PLUGINS_REFERENCE_CONFIG_H_
