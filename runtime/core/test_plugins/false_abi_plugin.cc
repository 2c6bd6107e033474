// A plugin library that says to be built for another program. Creating a plugin ends the process: nobody may.
#include <cstdlib>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/dev/plugin.h"
#include "runtime/dev/plugin_abi.h"

extern "C" const burin::AbiDescription* burin_plugin_abi() {
  static const burin::AbiField fields[] = {
      {"Burin version", "0.0.1", 0},
      {"plugin interface", nullptr, 99},
      {"phase of the moon", "full", 0},
  };
  static const burin::AbiDescription description = {burin::plugin_abi::kFormat, 3, fields};
  return &description;
}

extern "C" void burin_create_plugin(const std::string&, absl::StatusOr<std::unique_ptr<burin::Plugin>>*) {
  std::abort();
}
