// The REFERENCE device's properties, parsed once.
//
// Value type.
#ifndef BURIN_RUNTIME_PLUGINS_REFERENCE_CONFIG_H_
#define BURIN_RUNTIME_PLUGINS_REFERENCE_CONFIG_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/dev/property_map.h"

namespace burin::reference {

struct Config {
  bool perf_count = false;  // PERF_COUNT: collect per-node times.

  // Changes what `properties` name: all of it, or nothing. NotFound, listing what can be set, for an unknown or
  // read-only name; InvalidArgument for a value that is not allowed.
  absl::Status Apply(const PropertyMap& properties);
};

// Returns the error for a property that cannot be read, listing those that can.
absl::Status UnknownProperty(const std::string& name, const std::vector<std::string>& readable);

}  // namespace burin::reference

#endif  // BURIN_RUNTIME_PLUGINS_REFERENCE_CONFIG_H_
