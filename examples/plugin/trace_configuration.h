// The properties of the TRACE device, and what it answers for the read-only ones.
//
// Stateless, thread-safe.
#ifndef BURIN_EXAMPLES_PLUGIN_TRACE_CONFIGURATION_H_
#define BURIN_EXAMPLES_PLUGIN_TRACE_CONFIGURATION_H_

#include <string>
#include <vector>

#include "examples/plugin/execution_counts.h"
#include "runtime/dev/configuration.h"
#include "runtime/dev/properties.h"
#include "runtime/dev/property_map.h"

namespace burin::trace {

// The types of operation to count, by their names in the operation set; none: all.
inline constexpr Property<std::vector<std::string>> trace_ops{"TRACE_OPS"};
// Read-only, of a compiled model: "TYPE=COUNT" for what was executed since it was compiled.
inline constexpr Property<std::vector<std::string>> trace_counts{"TRACE_COUNTS"};

// Returns the configuration that a device starts with.
Configuration DefaultConfiguration(const std::string& device_name);

// Return the values of the read-only properties of the device, and of a compiled model.
PropertyMap DeviceFacts(const std::string& device_name);
PropertyMap ModelFacts(const std::string& device_name, const std::string& model_name, const ExecutionCounts& counts);

}  // namespace burin::trace

#endif  // BURIN_EXAMPLES_PLUGIN_TRACE_CONFIGURATION_H_
