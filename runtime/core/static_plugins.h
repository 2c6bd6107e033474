// The devices that are linked into the program.
//
// Declared here and defined by //runtime alone, which links them: the core knows no plugin, and there are no static
// constructors. Thread-safe.
#ifndef BURIN_RUNTIME_CORE_STATIC_PLUGINS_H_
#define BURIN_RUNTIME_CORE_STATIC_PLUGINS_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/dev/plugin.h"

namespace burin {

struct StaticPlugin {
  const char* device_name;
  absl::StatusOr<std::unique_ptr<Plugin>> (*create)(const std::string& device_name);
};

// Returns the table, in order of preference for an empty device name.
const std::vector<StaticPlugin>& StaticPlugins();

}  // namespace burin

#endif  // BURIN_RUNTIME_CORE_STATIC_PLUGINS_H_
