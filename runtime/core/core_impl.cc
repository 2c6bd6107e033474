#include "runtime/core/core_impl.h"

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/check.h"
#include "base/status_macros.h"
#include "runtime/core/auto_batching.h"
#include "runtime/core/device_name.h"
#include "runtime/core/dispatch_table.h"
#include "runtime/core/model_reader.h"
#include "runtime/core/plugin_library.h"
#include "runtime/core/plugins_xml.h"
#include "runtime/dev/properties.h"
#include "runtime/dev/property_table.h"

namespace burin {

namespace {

Configuration CoreConfiguration() {
  std::vector<PropertyInfo> rows;
  for (const PropertyInfo& row : AllProperties()) {
    if (IsCoreProperty(row.name)) rows.push_back(row);
  }
  return Configuration("The Core", rows);
}

// Divides properties into the Core's own and the devices'.
std::pair<PropertyMap, PropertyMap> Divide(const PropertyMap& properties) {
  std::pair<PropertyMap, PropertyMap> parts;
  for (const auto& entry : properties) (IsCoreProperty(entry.first) ? parts.first : parts.second).insert(entry);
  return parts;
}

absl::Status RefuseDeviceProperties(const PropertyMap& properties) {
  for (const auto& [name, value] : properties) {
    if (name == device_properties.name || absl::StartsWith(name, absl::StrCat(device_properties.name, "_"))) {
      return absl::InvalidArgumentError(absl::StrCat(
          "Properties of single devices are set by the device's name, or given to CompileModel; found ", name));
    }
  }
  return absl::OkStatus();
}

// Checks that a plugin lists an instance. One that lists none has one, which is also number 0.
absl::Status CheckInstance(const Plugin& plugin, const DeviceReference& device) {
  if (device.id.empty()) return absl::OkStatus();
  BURIN_ASSIGN_OR_RETURN(const std::string text, plugin.GetProperty(available_devices.name));
  BURIN_ASSIGN_OR_RETURN(const std::vector<std::string> ids, available_devices.Parse(text));
  const bool found = ids.empty() ? device.id == "0" : std::find(ids.begin(), ids.end(), device.id) != ids.end();
  if (found) return absl::OkStatus();
  return absl::NotFoundError(absl::StrCat("Device ", device.name, " has no instance ", QuotedName(device.id),
                                          "; there are: ", ids.empty() ? "0" : absl::StrJoin(ids, ", ")));
}

}  // namespace

CoreImpl::CoreImpl(const std::vector<StaticPlugin>& plugins) : core_(CoreConfiguration()) {
  BURIN_CHECK_OK(registry_.RegisterPluginsInRegistry(Describe(plugins)));
}

absl::Status CoreImpl::RegisterPlugins(const std::string& plugins_xml) {
  BURIN_ASSIGN_OR_RETURN(std::vector<PluginDescription> plugins, ReadPluginsXml(plugins_xml));
  return registry_.RegisterPluginsInRegistry(std::move(plugins));
}

absl::Status CoreImpl::RegisterPlugin(const std::string& library, const std::string& device_name,
                                      const PropertyMap& properties) {
  if (library.empty()) {
    return absl::InvalidArgumentError(absl::StrCat("No library is named for device ", QuotedName(device_name)));
  }
  BURIN_RETURN_IF_ERROR(CheckDeviceName(device_name));
  PluginDescription plugin;
  plugin.device_name = device_name;
  plugin.library = LocatePluginLibrary(library, "");
  plugin.defaults = properties;
  plugin.source = "RegisterPlugin";
  return registry_.RegisterPluginsInRegistry({std::move(plugin)});
}

absl::Status CoreImpl::UnloadPlugin(const std::string& device_name) { return registry_.Unload(device_name); }

std::vector<std::string> CoreImpl::GetAvailableDevices() {
  std::vector<std::string> devices;
  for (const std::string& name : registry_.DeviceNames()) {
    if (IsVirtualDevice(name)) continue;
    const absl::StatusOr<std::shared_ptr<Plugin>> plugin = registry_.Get(name);
    if (!plugin.ok()) continue;  // A device that cannot start is not available; using it tells why.
    const absl::StatusOr<std::string> text = (*plugin)->GetProperty(available_devices.name);
    if (!text.ok()) continue;
    const absl::StatusOr<std::vector<std::string>> ids = available_devices.Parse(*text);
    if (!ids.ok()) continue;
    if (ids->size() <= 1) {
      devices.push_back(name);
      continue;
    }
    for (const std::string& id : *ids) devices.push_back(absl::StrCat(name, ".", id));
  }
  return devices;
}

absl::StatusOr<std::map<std::string, Version>> CoreImpl::GetVersions(const std::string& device_name) {
  BURIN_ASSIGN_OR_RETURN(const DispatchTarget target, GetInternalPluginName(device_name, registry_.DeviceNames()));
  BURIN_ASSIGN_OR_RETURN(const std::shared_ptr<Plugin> plugin, registry_.Get(target.plugin));
  std::map<std::string, Version> versions = {{target.name.device.name, plugin->GetVersion()}};
  for (const DeviceReference& member : target.name.members) {
    if (member.excluded) continue;
    // A member may be an alias too.
    BURIN_ASSIGN_OR_RETURN(const DispatchTarget resolved, GetInternalPluginName(member.name, registry_.DeviceNames()));
    BURIN_ASSIGN_OR_RETURN(const std::shared_ptr<Plugin> device, registry_.Get(resolved.plugin));
    versions.emplace(member.name, device->GetVersion());
  }
  return versions;
}

absl::StatusOr<std::unique_ptr<ir::Model>> CoreImpl::Read(const ModelFile& file, const Configuration& core) const {
  ReadOptions options;
  options.use_mmap = core.Value(enable_mmap);
  return ReadModelFile(file.path, file.weights_path, options);
}

absl::StatusOr<std::unique_ptr<ir::Model>> CoreImpl::ReadModel(const ModelFile& file, const PropertyMap& properties) {
  for (const auto& [name, value] : properties) {
    if (name != enable_mmap.name) return NoSuchProperty("Reading a model", name, "set", {enable_mmap.name});
  }
  Configuration core = CoreConfigurationFor({});
  BURIN_RETURN_IF_ERROR(core.Apply(properties));
  return Read(file, core);
}

absl::StatusOr<std::unique_ptr<ir::Model>> CoreImpl::ReadModel(const ModelBytes& bytes) {
  return ReadModelFromMemory(bytes.bytes, bytes.weights);
}

absl::StatusOr<CoreImpl::Device> CoreImpl::Prepare(const std::string& device_name, const PropertyMap& properties) {
  BURIN_ASSIGN_OR_RETURN(CompileOptions options, NormalizeOptions(device_name, properties, registry_.DeviceNames()));
  BURIN_ASSIGN_OR_RETURN(std::shared_ptr<Plugin> plugin, registry_.Get(options.plugin));
  Configuration core = CoreConfigurationFor(options.device);
  BURIN_RETURN_IF_ERROR(core.Apply(options.core));
  return Device{std::move(plugin), std::move(options), std::move(core)};
}

absl::StatusOr<CoreImpl::Device> CoreImpl::PutBatchInFront(Device device, const PropertyMap& properties) {
  BURIN_ASSIGN_OR_RETURN(
      const std::string batch,
      ApplyAutoBatching(device.options, registry_.IsRegistered("BATCH"), device.core.Value(allow_auto_batching),
                        [&](const std::string& name) { return device.plugin->GetProperty(name); }));
  if (batch.empty()) return device;
  return Prepare(batch, properties);
}

absl::StatusOr<std::shared_ptr<ICompiledModel>> CoreImpl::CompileModel(const ModelSource& source,
                                                                       const std::string& device_name,
                                                                       const PropertyMap& properties,
                                                                       IRemoteContext* context) {
  BURIN_ASSIGN_OR_RETURN(Device device, Prepare(device_name, properties));
  // A context is of the device itself.
  if (context == nullptr) {
    BURIN_ASSIGN_OR_RETURN(device, PutBatchInFront(std::move(device), properties));
  }
  std::unique_ptr<ir::Model> read;
  const ir::Model* model = nullptr;
  if (const auto* given = std::get_if<const ir::Model*>(&source)) {
    model = *given;
  } else {
    const auto* file = std::get_if<ModelFile>(&source);
    BURIN_ASSIGN_OR_RETURN(read, file != nullptr ? Read(*file, device.core) : ReadModel(std::get<ModelBytes>(source)));
    model = read.get();
  }
  if (context != nullptr) return device.plugin->CompileModelWithContext(*model, *context, device.options.properties);
  if (read != nullptr) return device.plugin->CompileModel(std::move(read), device.options.properties);
  return device.plugin->CompileModel(*model, device.options.properties);
}

absl::StatusOr<std::shared_ptr<ICompiledModel>> CoreImpl::ImportModel(std::istream& stream,
                                                                      const std::string& device_name,
                                                                      const PropertyMap& properties) {
  BURIN_ASSIGN_OR_RETURN(const Device device, Prepare(device_name, properties));
  return device.plugin->ImportModel(stream, device.options.properties);
}

absl::StatusOr<ModelSupport> CoreImpl::QueryModelSupport(const ir::Model& model, const std::string& device_name,
                                                         const PropertyMap& properties) {
  BURIN_ASSIGN_OR_RETURN(const Device device, Prepare(device_name, properties));
  return device.plugin->SupportOf(model, device.options.properties);
}

absl::StatusOr<DeviceReference> CoreImpl::OneDevice(const std::string& device_name) const {
  BURIN_ASSIGN_OR_RETURN(const DispatchTarget target, GetInternalPluginName(device_name, registry_.DeviceNames()));
  if (!target.name.list.empty()) {
    return absl::InvalidArgumentError(absl::StrCat("This is asked of one device, without those behind it: ",
                                                   target.name.device.name, ", given ", QuotedName(device_name)));
  }
  DeviceReference device = target.name.device;
  device.name = target.plugin;
  return device;
}

absl::StatusOr<std::shared_ptr<IRemoteContext>> CoreImpl::CreateContext(const std::string& device_name,
                                                                        const PropertyMap& properties) {
  BURIN_ASSIGN_OR_RETURN(const Device device, Prepare(device_name, properties));
  return device.plugin->CreateContext(device.options.properties);
}

absl::StatusOr<std::shared_ptr<IRemoteContext>> CoreImpl::GetDefaultContext(const std::string& device_name) {
  BURIN_ASSIGN_OR_RETURN(const DeviceReference device, OneDevice(device_name));
  BURIN_ASSIGN_OR_RETURN(const std::shared_ptr<Plugin> plugin, registry_.Get(device.name));
  BURIN_RETURN_IF_ERROR(CheckInstance(*plugin, device));
  return plugin->GetDefaultContext();
}

absl::Status CoreImpl::SetProperty(const std::string& device_name, const PropertyMap& properties) {
  BURIN_ASSIGN_OR_RETURN(const DeviceReference device, OneDevice(device_name));
  BURIN_RETURN_IF_ERROR(RefuseDeviceProperties(properties));
  if (properties.count(enable_mmap.name) != 0) {
    return absl::NotFoundError(absl::StrCat("Device ", device.name, " has no property ", enable_mmap.name,
                                            ": it is the Core's, and set without a device"));
  }
  const auto [own, others] = Divide(properties);
  Configuration checked = CoreConfiguration();
  BURIN_RETURN_IF_ERROR(checked.Apply(own));
  if (!others.empty() || own.empty()) {
    BURIN_RETURN_IF_ERROR(registry_.SetProperties(device.NameAndId(), others));
  }
  std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& [name, value] : checked.given()) core_of_devices_[device.NameAndId()][name] = value;
  return absl::OkStatus();
}

absl::Status CoreImpl::SetProperty(const PropertyMap& properties) {
  BURIN_RETURN_IF_ERROR(RefuseDeviceProperties(properties));
  const auto [own, others] = Divide(properties);
  BURIN_RETURN_IF_ERROR(CoreConfiguration().Apply(own));
  if (!others.empty()) BURIN_RETURN_IF_ERROR(registry_.SetPropertiesOfAll(others));
  std::lock_guard<std::mutex> lock(mutex_);
  return core_.Apply(own);
}

Configuration CoreImpl::CoreConfigurationFor(const DeviceReference& device) const {
  std::lock_guard<std::mutex> lock(mutex_);
  Configuration configuration = core_;
  // What is set for an instance goes before what is set for its device.
  for (const std::string& name : {device.name, device.NameAndId()}) {
    const auto found = core_of_devices_.find(name);
    if (found != core_of_devices_.end()) BURIN_CHECK_OK(configuration.Apply(found->second));
  }
  return configuration;
}

absl::StatusOr<std::string> CoreImpl::GetProperty(const std::string& device_name, const std::string& name) {
  if (device_name.empty()) {
    const Configuration core = CoreConfigurationFor({});
    if (name != supported_properties.name) return core.Read(PropertyScope::kCore, name, {});
    std::vector<std::string> entries = core.Supported(PropertyScope::kCore);
    entries.push_back(absl::StrCat(name, ":RO"));
    return PropertyToString(entries);
  }
  BURIN_ASSIGN_OR_RETURN(const DeviceReference device, OneDevice(device_name));
  BURIN_ASSIGN_OR_RETURN(const std::shared_ptr<Plugin> plugin, registry_.Get(device.name));
  BURIN_RETURN_IF_ERROR(CheckInstance(*plugin, device));
  // Whether the Core batches for a device is set with the device's name, but the Core's to answer.
  if (name == allow_auto_batching.name) return CoreConfigurationFor(device).Get(name);
  return plugin->GetProperty(name);
}

}  // namespace burin
