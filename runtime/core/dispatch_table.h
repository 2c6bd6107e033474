// Which plugin a device name means.
//
// A name is looked up in an ordered table of patterns; the first that matches names the plugin, the property that takes
// what the name carries besides (an id, a list), and the properties that the name stands for. That is done before any
// model is touched. Pure functions, thread-safe.
#ifndef BURIN_RUNTIME_CORE_DISPATCH_TABLE_H_
#define BURIN_RUNTIME_CORE_DISPATCH_TABLE_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "re2/re2.h"
#include "runtime/core/device_name.h"
#include "runtime/dev/property_map.h"

namespace burin {

// One row: what a name of one form means. The pattern is matched against the whole name.
struct DispatchEntry {
  std::shared_ptr<const RE2> pattern;
  // The plugin, with \1 for the pattern's first group; empty for the preferred device.
  std::string plugin;
  // Takes the last group where that has matched something; empty where the form carries nothing.
  std::string list_property;
  // What the name says besides: MULTI is AUTO with a hint.
  PropertyMap implied;
};

// Returns the table, most specific form first.
std::vector<DispatchEntry> BuildDispatchEntries();

// What a device name stands for.
struct DispatchTarget {
  std::string plugin;      // The internal plugin's name, which is registered unless `plugin` is a hardware device.
  PropertyMap properties;  // What the name carries: DEVICE_ID, or MULTI_DEVICE_PRIORITIES and what is implied.
  ParsedDeviceName name;   // With device.name filled in where the name was empty.
};

// Resolves a name against the devices that are registered, in the order of their registration. An empty name is CPU
// where that is registered, else REFERENCE, else the first one. InvalidArgument for a name that is not of the grammar
// or only excludes a device; NotFound, listing what is registered, for an unknown device, or where an empty name finds
// none; Unimplemented for a virtual device whose plugin is not registered.
absl::StatusOr<DispatchTarget> GetInternalPluginName(const std::string& device_name,
                                                     const std::vector<std::string>& registered);

}  // namespace burin

#endif  // BURIN_RUNTIME_CORE_DISPATCH_TABLE_H_
