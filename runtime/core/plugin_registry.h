// Which devices exist, and their plugins, each created at first use.
//
// Thread-safe: one lock for the table and one per device, so that a slow plugin does not hold up another.
#ifndef BURIN_RUNTIME_CORE_PLUGIN_REGISTRY_H_
#define BURIN_RUNTIME_CORE_PLUGIN_REGISTRY_H_

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/core/static_plugins.h"
#include "runtime/dev/plugin.h"

namespace burin {

class PluginRegistry {
 public:
  // Adds a device. InvalidArgument where the name exists, is empty or contains a '.' (which separates a device's ids).
  absl::Status Register(const StaticPlugin& plugin);

  // Returns the plugin, creating it at first use. NotFound, listing the registered devices, for an unknown one; a
  // failed creation is reported with the device's name and tried again at the next call.
  absl::StatusOr<std::shared_ptr<Plugin>> Get(const std::string& device_name);

  // Returns the names, in order of registration.
  std::vector<std::string> DeviceNames() const;

 private:
  struct Entry {
    StaticPlugin description;
    std::mutex mutex;
    std::shared_ptr<Plugin> plugin;  // Guarded by mutex.
  };

  mutable std::mutex mutex_;
  std::map<std::string, std::unique_ptr<Entry>> entries_;  // Guarded by mutex_; entries are never removed.
  std::vector<std::string> order_;                         // Guarded by mutex_.
};

}  // namespace burin

#endif  // BURIN_RUNTIME_CORE_PLUGIN_REGISTRY_H_
