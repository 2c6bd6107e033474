// A plugin library whose plugin cannot be created.
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/dev/plugin.h"
#include "runtime/dev/plugin_abi.h"

namespace burin::failing_plugin {

namespace {

absl::StatusOr<std::unique_ptr<Plugin>> CreatePlugin(const std::string&) {
  return absl::UnavailableError("the machine has no such device");
}

}  // namespace

}  // namespace burin::failing_plugin

BURIN_DEFINE_PLUGIN(burin::failing_plugin::CreatePlugin);
