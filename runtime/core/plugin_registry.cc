#include "runtime/core/plugin_registry.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_context.h"

namespace burin {

absl::Status PluginRegistry::Register(const StaticPlugin& plugin) {
  const std::string name = plugin.device_name;
  if (name.empty() || name.find('.') != std::string::npos) {
    return absl::InvalidArgumentError(absl::StrCat("A device name must be non-empty and without '.': \"", name, "\""));
  }
  std::lock_guard<std::mutex> lock(mutex_);
  if (entries_.count(name) != 0) {
    return absl::InvalidArgumentError(absl::StrCat("Device is registered already: ", name));
  }
  auto entry = std::make_unique<Entry>();
  entry->description = plugin;
  entries_.emplace(name, std::move(entry));
  order_.push_back(name);
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<Plugin>> PluginRegistry::Get(const std::string& device_name) {
  Entry* entry = nullptr;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    auto found = entries_.find(device_name);
    if (found == entries_.end()) {
      return absl::NotFoundError(absl::StrCat("No device \"", device_name, "\" is registered; there are: ",
                                              order_.empty() ? "none" : absl::StrJoin(order_, ", ")));
    }
    entry = found->second.get();
  }
  std::lock_guard<std::mutex> lock(entry->mutex);
  if (entry->plugin == nullptr) {
    absl::StatusOr<std::unique_ptr<Plugin>> created = entry->description.create(device_name);
    if (!created.ok()) {
      return WithContext(created.status(), absl::StrCat("Device ", device_name, " could not be created"));
    }
    entry->plugin = std::move(*created);
  }
  return entry->plugin;
}

std::vector<std::string> PluginRegistry::DeviceNames() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return order_;
}

}  // namespace burin
