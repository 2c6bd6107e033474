// The CPU device: runs models on generated kernels.
//
// Thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_PLUGIN_H_
#define BURIN_RUNTIME_PLUGINS_CPU_PLUGIN_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "runtime/dev/plugin.h"

namespace burin::cpu {

absl::StatusOr<std::unique_ptr<Plugin>> CreatePlugin(const std::string& device_name);

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_PLUGIN_H_
