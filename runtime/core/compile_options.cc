#include "runtime/core/compile_options.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "base/check.h"
#include "base/status_context.h"
#include "base/status_macros.h"
#include "runtime/core/device_properties.h"
#include "runtime/core/dispatch_table.h"
#include "runtime/dev/properties.h"
#include "runtime/dev/property_table.h"

namespace burin {

namespace {

// Returns whether properties for `entry` ("GPU", "GPU.0") are for `device` ("GPU.0.1").
bool AppliesTo(const std::string& entry, const std::string& device) {
  return device == entry || absl::StartsWith(device, absl::StrCat(entry, "."));
}

void Override(const PropertyMap& from, PropertyMap* properties) {
  for (const auto& [name, value] : from) (*properties)[name] = value;
}

// Takes DEVICE_PROPERTIES and DEVICE_PROPERTIES_<NAME> out of `properties` and joins them, the latter over the former.
absl::StatusOr<DevicePropertyMap> TakeDeviceProperties(const std::vector<std::string>& registered,
                                                       PropertyMap* properties) {
  DevicePropertyMap devices;
  const auto whole = properties->find(device_properties.name);
  if (whole != properties->end()) {
    BURIN_ASSIGN_OR_RETURN(devices, ParseDeviceProperties(whole->first, whole->second));
    properties->erase(whole);
  }
  const std::string prefix = absl::StrCat(device_properties.name, "_");
  // The keys with the prefix follow each other.
  for (auto one = properties->lower_bound(prefix); one != properties->end() && absl::StartsWith(one->first, prefix);) {
    BURIN_ASSIGN_OR_RETURN(const PropertyMap values, ParsePropertiesOfOneDevice(one->first, one->second));
    Override(values, &devices[one->first.substr(prefix.size())]);
    one = properties->erase(one);
  }
  for (const auto& [device, values] : devices) {
    const absl::StatusOr<DispatchTarget> target = GetInternalPluginName(device, registered);
    if (!target.ok()) return WithContext(target.status(), absl::StrCat("Property ", device_properties.name));
    if (!target->name.list.empty() || target->name.device.NameAndId() != device) {
      return absl::InvalidArgumentError(absl::StrCat("Property ", device_properties.name,
                                                     ": expected the name of one device, given ", QuotedName(device)));
    }
  }
  return devices;
}

// Gives the device what is for it; what is for others stays, for a virtual device to pass on.
void Flatten(bool is_virtual, const std::string& device, DevicePropertyMap devices, PropertyMap* properties) {
  if (is_virtual) {
    const auto own = devices.find(device);
    if (own != devices.end()) {
      Override(own->second, properties);
      devices.erase(own);
    }
    if (!devices.empty()) (*properties)[device_properties.name] = PrintDeviceProperties(devices);
    return;
  }
  // "GPU" sorts before "GPU.0": the more specific entry comes later and wins.
  for (const auto& [name, values] : devices) {
    if (AppliesTo(name, device)) Override(values, properties);
  }
}

absl::Status AddWhatTheNameCarries(const DispatchTarget& target, const std::string& device_name,
                                   PropertyMap* properties) {
  for (const auto& [name, value] : target.properties) {
    const auto [entry, added] = properties->emplace(name, value);
    if (!added && entry->second != value) {
      return absl::InvalidArgumentError(absl::StrCat("Device name and property mismatch: ", QuotedName(device_name),
                                                     " means ", name, " = ", QuotedName(value), ", given ",
                                                     QuotedName(entry->second)));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckValue(const std::string& name, const std::string& value) {
  const PropertyInfo* info = FindProperty(name);
  BURIN_CHECK(info != nullptr);
  return info->check(name, value);
}

// Checks a list that the map gives, as the dispatch does for one in the name.
absl::Status CheckPriorities(const DispatchTarget& target, const PropertyMap& properties,
                             const std::vector<std::string>& registered) {
  const auto list = properties.find(multi_device_priorities.name);
  if (list == properties.end() || !target.name.list.empty() || !IsVirtualDevice(target.name.device.name)) {
    return absl::OkStatus();
  }
  const absl::Status status =
      GetInternalPluginName(absl::StrCat(target.name.device.name, ":", list->second), registered).status();
  return WithContext(status, absl::StrCat("Property ", multi_device_priorities.name));
}

// Moves the Core's own properties out of the map.
absl::Status TakeCoreProperties(CompileOptions* options) {
  for (auto entry = options->properties.begin(); entry != options->properties.end();) {
    if (!IsCoreProperty(entry->first)) {
      ++entry;
      continue;
    }
    BURIN_RETURN_IF_ERROR(CheckValue(entry->first, entry->second));
    options->core.insert(*entry);
    // AUTO, MULTI and HETERO compile through the Core: whether that may batch is theirs to pass on.
    const bool passed_on =
        entry->first == allow_auto_batching.name && IsVirtualDevice(options->device.name) && options->plugin != "BATCH";
    entry = passed_on ? std::next(entry) : options->properties.erase(entry);
  }
  // A hardware device does not wait for batches; whoever puts BATCH in front of it does.
  const auto timeout = options->properties.find(auto_batch_timeout.name);
  if (timeout == options->properties.end() || IsVirtualDevice(options->device.name)) return absl::OkStatus();
  BURIN_RETURN_IF_ERROR(CheckValue(timeout->first, timeout->second));
  options->properties.erase(timeout);
  return absl::OkStatus();
}

}  // namespace

bool IsCoreProperty(absl::string_view name) {
  const PropertyInfo* info = FindProperty(name);
  return info != nullptr && info->scope == PropertyScope::kCore;
}

absl::StatusOr<CompileOptions> NormalizeOptions(const std::string& device_name, const PropertyMap& given,
                                                const std::vector<std::string>& registered) {
  BURIN_ASSIGN_OR_RETURN(const DispatchTarget target, GetInternalPluginName(device_name, registered));
  CompileOptions options;
  options.plugin = target.plugin;
  options.device = target.name.device;
  options.properties = given;
  BURIN_ASSIGN_OR_RETURN(DevicePropertyMap devices, TakeDeviceProperties(registered, &options.properties));
  const bool is_virtual = IsVirtualDevice(options.device.name);
  // An id in the map selects the instance's entries just as one in the name does.
  const auto id = given.find(device_id.name);
  if (!is_virtual && options.device.id.empty() && id != given.end()) options.device.id = id->second;
  Flatten(is_virtual, options.device.NameAndId(), std::move(devices), &options.properties);
  BURIN_RETURN_IF_ERROR(AddWhatTheNameCarries(target, device_name, &options.properties));
  BURIN_RETURN_IF_ERROR(CheckPriorities(target, options.properties, registered));
  BURIN_RETURN_IF_ERROR(TakeCoreProperties(&options));
  return options;
}

}  // namespace burin
