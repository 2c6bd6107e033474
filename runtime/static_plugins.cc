#include "runtime/core/static_plugins.h"

#include "runtime/api/core.h"
#include "runtime/plugins/reference/plugin.h"

namespace burin {

// Here and not beside the other members: whoever makes a Core depends on //runtime, so that a linker that reads
// archives once finds the table after its use.
Core::Core() : Core(StaticPlugins()) {}

const std::vector<StaticPlugin>& StaticPlugins() {
  static const std::vector<StaticPlugin>* const plugins = new std::vector<StaticPlugin>{
      {"REFERENCE", &reference::CreatePlugin},
  };
  return *plugins;
}

}  // namespace burin
