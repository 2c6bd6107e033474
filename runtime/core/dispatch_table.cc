#include "runtime/core/dispatch_table.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/check.h"
#include "base/status_macros.h"
#include "runtime/dev/properties.h"

namespace burin {

namespace {

bool Contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

DispatchEntry Entry(const char* pattern, std::string plugin, std::string list_property, PropertyMap implied = {}) {
  auto compiled = std::make_shared<const RE2>(pattern);
  BURIN_CHECK(compiled->ok());
  return {std::move(compiled), std::move(plugin), std::move(list_property), std::move(implied)};
}

const std::vector<DispatchEntry>& Table() {
  static const auto* const table = new std::vector<DispatchEntry>(BuildDispatchEntries());
  return *table;
}

absl::StatusOr<std::string> PreferredDevice(const std::vector<std::string>& registered) {
  for (const char* name : {"CPU", "REFERENCE"}) {
    if (Contains(registered, name)) return std::string(name);
  }
  for (const std::string& name : registered) {
    if (!IsVirtualDevice(name)) return name;
  }
  return absl::NotFoundError("No device is registered");
}

// Checks that a device that a name mentions is there. `asked` is the whole name, for the message.
absl::Status CheckRegistered(const std::string& device, const std::string& plugin, const std::string& asked,
                             const std::vector<std::string>& registered) {
  if (Contains(registered, plugin)) return absl::OkStatus();
  if (IsVirtualDevice(device)) {
    return absl::UnimplementedError(
        absl::StrCat("Virtual device ", device, " has no plugin in this build (asked for: ", QuotedName(asked), ")"));
  }
  return absl::NotFoundError(
      absl::StrCat("No device ", QuotedName(device), " is registered",
                   device == asked ? "" : absl::StrCat(" (asked for: ", QuotedName(asked), ")"),
                   "; there are: ", registered.empty() ? "none" : absl::StrJoin(registered, ", ")));
}

// Returns the first row that matches, with the groups of the match: what names the plugin and what the name carries.
const DispatchEntry& FindEntry(const std::string& device_name, std::vector<re2::StringPiece>* groups) {
  for (const DispatchEntry& entry : Table()) {
    groups->assign(1 + entry.pattern->NumberOfCapturingGroups(), re2::StringPiece());
    if (entry.pattern->Match(device_name, 0, device_name.size(), RE2::ANCHOR_BOTH, groups->data(), groups->size())) {
      return entry;
    }
  }
  // What the grammar accepts, some row matches.
  BURIN_CHECK(false);
  return Table().front();
}

// Returns the plugin that a row names, for the groups of its match.
std::string PluginOf(const DispatchEntry& entry, const std::vector<re2::StringPiece>& groups) {
  return entry.plugin == "\\1" ? std::string(groups[1]) : entry.plugin;
}

}  // namespace

std::vector<DispatchEntry> BuildDispatchEntries() {
  const std::string list = multi_device_priorities.name;
  return {
      Entry("", "", ""),
      Entry("\\(CPU\\)", "CPU", ""),
      Entry("AUTO(?::(.+))?", "AUTO", list),
      Entry("MULTI(?::(.+))?", "AUTO", list, {performance_hint(PerformanceMode::kCumulativeThroughput)}),
      Entry("BATCH(?::(.+))?", "BATCH", list),
      Entry("HETERO(?::(.+))?", "HETERO", list),
      Entry("([^.:,()]+)\\.([^:,()]+)", "\\1", device_id.name),
      Entry("([^.:,()]+)", "\\1", ""),
  };
}

absl::StatusOr<DispatchTarget> GetInternalPluginName(const std::string& device_name,
                                                     const std::vector<std::string>& registered) {
  DispatchTarget target;
  BURIN_ASSIGN_OR_RETURN(target.name, ParseDeviceName(device_name));
  if (target.name.device.excluded) {
    return absl::InvalidArgumentError(absl::StrCat("Device name ", QuotedName(device_name),
                                                   " excludes a device, which only an entry of AUTO: or MULTI: can"));
  }
  std::vector<re2::StringPiece> groups;
  const DispatchEntry& entry = FindEntry(device_name, &groups);
  if (entry.plugin.empty()) {
    BURIN_ASSIGN_OR_RETURN(target.plugin, PreferredDevice(registered));
    target.name.device.name = target.plugin;
    return target;
  }
  target.plugin = PluginOf(entry, groups);
  BURIN_RETURN_IF_ERROR(CheckRegistered(target.name.device.name, target.plugin, device_name, registered));
  target.properties = entry.implied;
  if (!entry.list_property.empty() && !groups.back().empty()) {
    target.properties.emplace(entry.list_property, std::string(groups.back()));
  }
  for (const DeviceReference& member : target.name.members) {
    if (member.excluded && target.plugin == "AUTO") continue;  // Excluding what is not there is no mistake.
    if (member.excluded) {
      return absl::InvalidArgumentError(absl::StrCat("Device name ", QuotedName(device_name), " excludes ", member.name,
                                                     ", which only AUTO: and MULTI: can"));
    }
    const DispatchEntry& of_member = FindEntry(member.name, &groups);
    BURIN_RETURN_IF_ERROR(CheckRegistered(member.name, PluginOf(of_member, groups), device_name, registered));
  }
  return target;
}

}  // namespace burin
