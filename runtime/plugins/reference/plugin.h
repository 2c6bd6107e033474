// The REFERENCE device: evaluates every operation by its definition.
//
// Slow and right: the oracle that other devices are compared with. Thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_REFERENCE_PLUGIN_H_
#define BURIN_RUNTIME_PLUGINS_REFERENCE_PLUGIN_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "runtime/dev/plugin.h"

namespace burin::reference {

absl::StatusOr<std::unique_ptr<Plugin>> CreatePlugin(const std::string& device_name);

}  // namespace burin::reference

#endif  // BURIN_RUNTIME_PLUGINS_REFERENCE_PLUGIN_H_
