#include "runtime/core/plugin_registry.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_context.h"
#include "base/status_macros.h"
#include "runtime/core/device_name.h"
#include "runtime/core/plugin_library.h"
#include "runtime/dev/properties.h"

namespace burin {

namespace {

// Names a device with where it comes from, for errors.
std::string Named(const PluginDescription& plugin) {
  return plugin.source.empty() ? QuotedName(plugin.device_name)
                               : absl::StrCat(QuotedName(plugin.device_name), " (", plugin.source, ")");
}

PropertyMap WithDeviceId(PropertyMap properties, const std::string& id) {
  properties.emplace(device_id.name, id);
  return properties;
}

// Returns those of `properties` that the device lists as settable.
PropertyMap SettableOn(const Plugin& plugin, const PropertyMap& properties) {
  PropertyMap settable;
  const absl::StatusOr<std::string> text = plugin.GetProperty(supported_properties.name);
  if (!text.ok()) return settable;
  const absl::StatusOr<std::vector<std::string>> entries = supported_properties.Parse(*text);
  if (!entries.ok()) return settable;
  for (const auto& [name, value] : properties) {
    if (std::count(entries->begin(), entries->end(), name + ":RW") != 0) settable.emplace(name, value);
  }
  return settable;
}

void Remove(const PropertyMap& names, PropertyMap* properties) {
  for (const auto& entry : names) properties->erase(entry.first);
}

// Sets what was set for instances; after whatever was set for the device as a whole.
absl::Status SetOfIds(const std::map<std::string, PropertyMap>& of_ids, Plugin* plugin) {
  for (const auto& [id, properties] : of_ids) {
    BURIN_RETURN_IF_ERROR(WithContext(plugin->SetProperties(WithDeviceId(properties, id)),
                                      absl::StrCat("properties set before for id ", QuotedName(id))));
  }
  return absl::OkStatus();
}

// Sets properties of several plugins; sets back what it has set unless committed.
class Transaction {
 public:
  ~Transaction() {
    for (auto change = undo_.rbegin(); change != undo_.rend(); ++change) {
      // The values were in force a moment ago: that they are taken back is all a caller can rely on.
      change->first->SetProperties(change->second).IgnoreError();
    }
  }

  absl::Status Set(Plugin* plugin, const PropertyMap& properties) {
    if (properties.empty()) return absl::OkStatus();
    PropertyMap old;
    for (const auto& entry : properties) {
      BURIN_ASSIGN_OR_RETURN(old[entry.first], plugin->GetProperty(entry.first));
    }
    BURIN_RETURN_IF_ERROR(plugin->SetProperties(properties));
    undo_.emplace_back(plugin, std::move(old));
    return absl::OkStatus();
  }

  void Commit() { undo_.clear(); }

 private:
  std::vector<std::pair<Plugin*, PropertyMap>> undo_;
};

}  // namespace

std::vector<PluginDescription> Describe(const std::vector<StaticPlugin>& plugins) {
  std::vector<PluginDescription> descriptions;
  for (const StaticPlugin& plugin : plugins) {
    PluginDescription description;
    description.device_name = plugin.device_name;
    description.create = plugin.create;
    description.source = "linked in";
    descriptions.push_back(std::move(description));
  }
  return descriptions;
}

absl::Status PluginRegistry::CheckDescriptions(const std::vector<PluginDescription>& plugins) const {
  std::set<std::string> names;
  for (const PluginDescription& plugin : plugins) {
    absl::Status name = CheckDeviceName(plugin.device_name);
    if (!name.ok()) return plugin.source.empty() ? name : WithContext(name, plugin.source);
    if (entries_.count(plugin.device_name) != 0) {
      return absl::InvalidArgumentError(absl::StrCat("Device is registered already: ", Named(plugin)));
    }
    if (!names.insert(plugin.device_name).second) {
      return absl::InvalidArgumentError(absl::StrCat("Device is named twice: ", Named(plugin)));
    }
    if (plugin.library.empty() == (plugin.create == nullptr)) {
      return absl::InvalidArgumentError(
          absl::StrCat("A device comes from a library or from a function, and from one of them: ", Named(plugin)));
    }
  }
  return absl::OkStatus();
}

absl::Status PluginRegistry::RegisterPluginsInRegistry(std::vector<PluginDescription> plugins) {
  std::lock_guard<std::mutex> lock(mutex_);
  BURIN_RETURN_IF_ERROR(CheckDescriptions(plugins));
  for (PluginDescription& plugin : plugins) {
    auto entry = std::make_unique<Entry>();
    entry->description = std::move(plugin);
    order_.push_back(entry.get());
    entries_.emplace(entry->description.device_name, std::move(entry));
  }
  return absl::OkStatus();
}

absl::StatusOr<PluginRegistry::Entry*> PluginRegistry::Find(const std::string& device_name) const {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = entries_.find(device_name);
  if (found != entries_.end()) return found->second.get();
  const std::string known = absl::StrJoin(
      order_, ", ", [](std::string* out, const Entry* entry) { absl::StrAppend(out, entry->description.device_name); });
  return absl::NotFoundError(absl::StrCat("No such device is registered: ", QuotedName(device_name),
                                          "; there are: ", known.empty() ? "none" : known));
}

absl::StatusOr<std::unique_ptr<Plugin>> PluginRegistry::CreateAndConfigure(const Entry& entry) const {
  const PluginDescription& description = entry.description;
  absl::StatusOr<std::unique_ptr<Plugin>> created =
      description.library.empty() ? description.create(description.device_name)
                                  : CreatePluginFromLibrary(description.library, description.device_name);
  BURIN_RETURN_IF_ERROR(created.status());
  Plugin* plugin = created->get();
  if (plugin == nullptr) return absl::InternalError("its create function returned neither a plugin nor an error");
  if (plugin->device_name() != description.device_name) {
    return absl::FailedPreconditionError(absl::StrCat(
        "the plugin",
        description.library.empty() ? std::string() : absl::StrCat(" of library ", QuotedName(description.library)),
        " calls itself by another name: ", QuotedName(plugin->device_name())));
  }
  if (!description.defaults.empty()) {
    BURIN_RETURN_IF_ERROR(
        WithContext(plugin->SetProperties(description.defaults),
                    absl::StrCat("default properties", description.source.empty() ? "" : " of ", description.source)));
  }
  PropertyMap of_all;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    of_all = of_all_;
  }
  Remove(entry.properties, &of_all);
  const PropertyMap settable = SettableOn(*plugin, of_all);
  if (!settable.empty()) {
    BURIN_RETURN_IF_ERROR(WithContext(plugin->SetProperties(settable), "properties set for all devices"));
  }
  if (!entry.properties.empty()) {
    BURIN_RETURN_IF_ERROR(WithContext(plugin->SetProperties(entry.properties), "properties set before"));
  }
  BURIN_RETURN_IF_ERROR(SetOfIds(entry.of_ids, plugin));
  return created;
}

absl::Status PluginRegistry::Ensure(Entry* entry) const {
  if (entry->plugin != nullptr) return absl::OkStatus();
  absl::StatusOr<std::unique_ptr<Plugin>> created = CreateAndConfigure(*entry);
  if (!created.ok()) {
    // An error of a library names it.
    return WithContext(created.status(),
                       absl::StrCat("Device ", entry->description.device_name, " could not be created"));
  }
  entry->plugin = *std::move(created);
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<Plugin>> PluginRegistry::Get(const std::string& device_name) {
  BURIN_ASSIGN_OR_RETURN(Entry* const entry, Find(device_name));
  std::shared_lock<std::shared_mutex> all(all_mutex_);
  std::lock_guard<std::mutex> lock(entry->mutex);
  BURIN_RETURN_IF_ERROR(Ensure(entry));
  return entry->plugin;
}

absl::Status PluginRegistry::SetProperties(const std::string& device_name, const PropertyMap& properties) {
  const size_t dot = device_name.find('.');
  BURIN_ASSIGN_OR_RETURN(Entry* const entry, Find(device_name.substr(0, dot)));
  std::shared_lock<std::shared_mutex> all(all_mutex_);
  std::lock_guard<std::mutex> lock(entry->mutex);
  BURIN_RETURN_IF_ERROR(Ensure(entry));
  if (dot == std::string::npos) {
    BURIN_RETURN_IF_ERROR(entry->plugin->SetProperties(properties));
    for (const auto& [name, value] : properties) entry->properties[name] = value;
    return SetOfIds(entry->of_ids, entry->plugin.get());
  }
  const std::string id = device_name.substr(dot + 1);
  if (id.empty()) return absl::InvalidArgumentError(absl::StrCat("Empty device id: ", QuotedName(device_name)));
  if (properties.count(device_id.name) != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat(device_id.name, " is given by the device's name already: ", QuotedName(device_name)));
  }
  BURIN_RETURN_IF_ERROR(entry->plugin->SetProperties(WithDeviceId(properties, id)));
  for (const auto& [name, value] : properties) entry->of_ids[id][name] = value;
  return absl::OkStatus();
}

absl::Status PluginRegistry::SetPropertiesOfAll(const PropertyMap& properties) {
  std::unique_lock<std::shared_mutex> all(all_mutex_);
  std::vector<Entry*> entries;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    entries = order_;
  }
  Transaction transaction;
  PropertyMap unknown = properties;
  std::vector<std::string> failures;
  for (Entry* entry : entries) {
    // No creation runs, and no other call changes an entry, while all_mutex_ is held exclusively.
    std::lock_guard<std::mutex> lock(entry->mutex);
    absl::Status created = Ensure(entry);
    if (!created.ok()) {
      failures.push_back(std::string(created.message()));
      continue;
    }
    PropertyMap settable = SettableOn(*entry->plugin, properties);
    Remove(settable, &unknown);
    Remove(entry->properties, &settable);
    BURIN_RETURN_IF_ERROR(WithContext(transaction.Set(entry->plugin.get(), settable),
                                      absl::StrCat("Device ", entry->description.device_name)));
    BURIN_RETURN_IF_ERROR(SetOfIds(entry->of_ids, entry->plugin.get()));
  }
  if (!unknown.empty()) {
    std::string message = absl::StrCat("No registered device has the property: ", QuotedName(unknown.begin()->first));
    for (const std::string& failure : failures) absl::StrAppend(&message, "\n  ", failure);
    return absl::NotFoundError(message);
  }
  transaction.Commit();
  std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& [name, value] : properties) of_all_[name] = value;
  return absl::OkStatus();
}

absl::Status PluginRegistry::Unload(const std::string& device_name) {
  BURIN_ASSIGN_OR_RETURN(Entry* const entry, Find(device_name));
  std::shared_ptr<Plugin> plugin;  // Goes without the lock.
  std::lock_guard<std::mutex> lock(entry->mutex);
  if (entry->plugin == nullptr) {
    return absl::FailedPreconditionError(absl::StrCat("The device has no plugin to unload: ", device_name));
  }
  plugin = std::move(entry->plugin);
  entry->plugin = nullptr;
  return absl::OkStatus();
}

bool PluginRegistry::IsRegistered(const std::string& device_name) const {
  std::lock_guard<std::mutex> lock(mutex_);
  return entries_.count(device_name) != 0;
}

std::vector<std::string> PluginRegistry::DeviceNames() const {
  std::lock_guard<std::mutex> lock(mutex_);
  std::vector<std::string> names;
  for (const Entry* entry : order_) names.push_back(entry->description.device_name);
  return names;
}

}  // namespace burin
