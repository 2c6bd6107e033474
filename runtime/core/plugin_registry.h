// Which devices exist, and their plugins, each created at first use.
//
// Devices that are linked in, that a plugins.xml names and that are registered one by one come through the same call
// and differ in nothing but where their plugin is created. Thread-safe: one lock for the table and one per device, so
// that a slow plugin does not hold up another. A plugin must not call back while it is created or configured.
//
// What was configured for a device belongs to its entry, not to its plugin: it is replayed whenever the plugin is
// created, in the order description's defaults, properties of all devices, of the device, of its ids; the later wins.
#ifndef BURIN_RUNTIME_CORE_PLUGIN_REGISTRY_H_
#define BURIN_RUNTIME_CORE_PLUGIN_REGISTRY_H_

#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/core/static_plugins.h"
#include "runtime/dev/plugin.h"
#include "runtime/dev/property_map.h"

namespace burin {

using CreatePluginFunction = absl::StatusOr<std::unique_ptr<Plugin>> (*)(const std::string& device_name);

// A device before its plugin exists.
struct PluginDescription {
  std::string device_name;
  std::string library;  // As runtime/core/plugin_library.h loads it. Empty: `create` is linked in.
  CreatePluginFunction create = nullptr;
  PropertyMap defaults;  // Set when the plugin is created.
  std::string source;    // Who says all this, for errors: the path of a plugins.xml, "RegisterPlugin". May be empty.
};

// Returns the compiled-in table as descriptions.
std::vector<PluginDescription> Describe(const std::vector<StaticPlugin>& plugins);

class PluginRegistry {
 public:
  // Adds devices: all of them, or none. No library is loaded. InvalidArgument, naming device and source, where a name
  // is registered already or twice in the list, is none that ParseDeviceName would find (CheckDeviceName in
  // runtime/core/device_name.h), or where a description has not exactly one of library and create function.
  absl::Status RegisterPluginsInRegistry(std::vector<PluginDescription> plugins);

  // Returns the plugin, creating it at first use and configuring it. NotFound, listing the registered devices, for an
  // unknown one. A failed creation is reported with device, library and reason, and tried again at the next call; so is
  // a default that the plugin refuses, with the default's source.
  absl::StatusOr<std::shared_ptr<Plugin>> Get(const std::string& device_name);

  // Sets properties of a device ("NAME") or of one of its instances ("NAME.ID": DEVICE_ID is added): all of them, or
  // none. The plugin is created where it does not exist yet, because nobody else can tell whether they are valid; they
  // are remembered for a plugin created later. As Get and Plugin::SetProperties otherwise.
  absl::Status SetProperties(const std::string& device_name, const PropertyMap& properties);

  // Sets properties of all devices, those registered later included: each gets those that its SUPPORTED_PROPERTIES
  // lists as RW and that were not set for the device itself. All devices are created for that; one that cannot be gets
  // them when it can. Nothing is set where any fails: NotFound naming a property that no device has; a device's error
  // otherwise.
  absl::Status SetPropertiesOfAll(const PropertyMap& properties);

  // Forgets a device's plugin; the entry and its configuration stay, and the next Get creates another plugin. Who still
  // uses the old one keeps it: plugin, compiled models and requests live on until the last reference goes. NotFound for
  // an unknown device, FailedPrecondition where it has no plugin.
  absl::Status Unload(const std::string& device_name);

  bool IsRegistered(const std::string& device_name) const;

  // Returns the names, in order of registration.
  std::vector<std::string> DeviceNames() const;

 private:
  struct Entry {
    PluginDescription description;
    std::mutex mutex;
    std::shared_ptr<Plugin> plugin;             // Guarded by mutex.
    PropertyMap properties;                     // Guarded by mutex: set for the device.
    std::map<std::string, PropertyMap> of_ids;  // Guarded by mutex: set for its instances, by id.
  };

  absl::Status CheckDescriptions(const std::vector<PluginDescription>& plugins) const;  // Needs mutex_.
  absl::StatusOr<Entry*> Find(const std::string& device_name) const;
  // Creates the plugin where there is none; needs all_mutex_ and the entry's mutex.
  absl::Status Ensure(Entry* entry) const;
  absl::StatusOr<std::unique_ptr<Plugin>> CreateAndConfigure(const Entry& entry) const;

  // Held in this order: all_mutex_, an entry's mutex, mutex_. The first is shared by all but SetPropertiesOfAll, so
  // that no plugin is created between what that sets and what it leaves for later.
  std::shared_mutex all_mutex_;
  mutable std::mutex mutex_;
  std::map<std::string, std::unique_ptr<Entry>> entries_;  // Guarded by mutex_; entries are never removed.
  std::vector<Entry*> order_;                              // Guarded by mutex_.
  PropertyMap of_all_;                                     // Guarded by mutex_.
};

}  // namespace burin

#endif  // BURIN_RUNTIME_CORE_PLUGIN_REGISTRY_H_
