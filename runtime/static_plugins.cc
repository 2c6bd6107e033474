#include "runtime/core/static_plugins.h"

#include "absl/status/statusor.h"
#include "base/status_macros.h"
#include "runtime/api/core.h"
#include "runtime/plugins/cpu/plugin.h"
#include "runtime/plugins/reference/plugin.h"

namespace burin {

// Here and not beside the other members: whoever makes a Core depends on //runtime, so that a linker that reads
// archives once finds the table after its use.
Core::Core() : Core(StaticPlugins()) {}

absl::StatusOr<Core> Core::Create(const std::string& plugins_xml) {
  Core core;
  BURIN_RETURN_IF_ERROR(core.RegisterPlugins(plugins_xml));
  return core;
}

const std::vector<StaticPlugin>& StaticPlugins() {
  static const std::vector<StaticPlugin>* const plugins = new std::vector<StaticPlugin>{
      {"CPU", &cpu::CreatePlugin},
      {"REFERENCE", &reference::CreatePlugin},
  };
  return *plugins;
}

}  // namespace burin
