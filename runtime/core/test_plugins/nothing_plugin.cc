// A plugin library that creates neither a plugin nor an error.
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/dev/plugin.h"
#include "runtime/dev/plugin_abi.h"

namespace burin::nothing_plugin {

namespace {

absl::StatusOr<std::unique_ptr<Plugin>> CreatePlugin(const std::string&) { return std::unique_ptr<Plugin>(); }

}  // namespace

}  // namespace burin::nothing_plugin

BURIN_DEFINE_PLUGIN(burin::nothing_plugin::CreatePlugin);
