#include "runtime/core/core_impl.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/check.h"
#include "base/status_macros.h"
#include "runtime/core/model_reader.h"
#include "runtime/dev/properties.h"

namespace burin {

namespace {

constexpr const char* kVirtualDevices[] = {"AUTO", "BATCH", "HETERO", "MULTI"};

}  // namespace

CoreImpl::CoreImpl(const std::vector<StaticPlugin>& plugins) {
  for (const StaticPlugin& plugin : plugins) BURIN_CHECK_OK(registry_.Register(plugin));
}

absl::StatusOr<std::shared_ptr<Plugin>> CoreImpl::FindPlugin(const std::string& device_name) {
  if (!device_name.empty()) {
    const std::string head = device_name.substr(0, device_name.find(':'));
    if (std::find(std::begin(kVirtualDevices), std::end(kVirtualDevices), head) != std::end(kVirtualDevices)) {
      return absl::UnimplementedError(
          absl::StrCat("Virtual device ", head, " has no plugin in this build (asked for: ", device_name, ")"));
    }
    return registry_.Get(device_name);
  }
  // StaticPlugins() is in order of preference.
  const std::vector<std::string> names = registry_.DeviceNames();
  if (names.empty()) return absl::NotFoundError("No device is registered");
  return registry_.Get(names.front());
}

absl::StatusOr<std::map<std::string, Version>> CoreImpl::GetVersions(const std::string& device_name) {
  BURIN_ASSIGN_OR_RETURN(std::shared_ptr<Plugin> plugin, FindPlugin(device_name));
  return std::map<std::string, Version>{{plugin->device_name(), plugin->GetVersion()}};
}

absl::StatusOr<std::unique_ptr<ir::Model>> CoreImpl::ReadModel(const std::string& model_path,
                                                               const std::string& weights_path,
                                                               const PropertyMap& properties) {
  if (!properties.empty()) {
    return absl::NotFoundError(
        absl::StrCat("Unknown property for ReadModel: ", properties.begin()->first, "; there are none"));
  }
  return ReadModelFile(model_path, weights_path);
}

absl::StatusOr<std::shared_ptr<ICompiledModel>> CoreImpl::CompileModel(const ir::Model& model,
                                                                       const std::string& device_name,
                                                                       const PropertyMap& properties) {
  BURIN_ASSIGN_OR_RETURN(std::shared_ptr<Plugin> plugin, FindPlugin(device_name));
  return plugin->CompileModel(model, properties);
}

absl::StatusOr<std::shared_ptr<ICompiledModel>> CoreImpl::ImportModel(std::istream& stream,
                                                                      const std::string& device_name,
                                                                      const PropertyMap& properties) {
  BURIN_ASSIGN_OR_RETURN(std::shared_ptr<Plugin> plugin, FindPlugin(device_name));
  return plugin->ImportModel(stream, properties);
}

absl::StatusOr<std::map<std::string, std::string>> CoreImpl::QueryModel(const ir::Model& model,
                                                                        const std::string& device_name,
                                                                        const PropertyMap& properties) {
  BURIN_ASSIGN_OR_RETURN(std::shared_ptr<Plugin> plugin, FindPlugin(device_name));
  return plugin->QueryModel(model, properties);
}

absl::Status CoreImpl::SetProperty(const std::string& device_name, const PropertyMap& properties) {
  BURIN_ASSIGN_OR_RETURN(std::shared_ptr<Plugin> plugin, FindPlugin(device_name));
  return plugin->SetProperties(properties);
}

absl::StatusOr<std::string> CoreImpl::GetProperty(const std::string& device_name, const std::string& name) {
  BURIN_ASSIGN_OR_RETURN(std::shared_ptr<Plugin> plugin, FindPlugin(device_name));
  return plugin->GetProperty(name);
}

std::vector<std::string> CoreImpl::GetAvailableDevices() {
  std::vector<std::string> devices;
  for (const std::string& name : registry_.DeviceNames()) {
    absl::StatusOr<std::shared_ptr<Plugin>> plugin = registry_.Get(name);
    if (!plugin.ok()) continue;  // A device that cannot start is not available; using it tells why.
    absl::StatusOr<std::string> text = (*plugin)->GetProperty(available_devices.name);
    if (!text.ok()) continue;
    const std::vector<std::string> ids = absl::StrSplit(*text, ' ', absl::SkipEmpty());
    if (ids.size() <= 1) {
      devices.push_back(name);
    } else {
      for (const std::string& id : ids) devices.push_back(absl::StrCat(name, ".", id));
    }
  }
  return devices;
}

}  // namespace burin
