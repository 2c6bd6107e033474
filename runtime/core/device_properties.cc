#include "runtime/core/device_properties.h"

#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status_macros.h"
#include "nlohmann/json.hpp"
#include "runtime/core/device_name.h"
#include "runtime/dev/properties.h"

namespace burin {

namespace {

using Json = nlohmann::json;

absl::Status Bad(const std::string& name, absl::string_view what, const std::string& text) {
  return absl::InvalidArgumentError(absl::StrCat("Property ", name, ": ", what, ", given ", QuotedName(text)));
}

// Parses an object. Refuses a key that occurs twice (the parser would keep the last one) and more than `max_depth`
// objects within each other, before they are built.
absl::StatusOr<Json> ParseObject(const std::string& name, const std::string& text, int max_depth) {
  std::vector<std::set<std::string>> keys;
  std::optional<std::string> duplicate;
  bool too_deep = false;
  const Json json = Json::parse(
      text,
      [&](int, Json::parse_event_t event, Json& value) {
        switch (event) {
          case Json::parse_event_t::object_start:
          case Json::parse_event_t::array_start:
            keys.emplace_back();
            if (static_cast<int>(keys.size()) > max_depth) too_deep = true;
            break;
          case Json::parse_event_t::object_end:
          case Json::parse_event_t::array_end:
            keys.pop_back();
            break;
          case Json::parse_event_t::key:
            if (!keys.back().insert(value.get_ref<const std::string&>()).second) {
              duplicate = value.get<std::string>();
            }
            break;
          case Json::parse_event_t::value:
            break;
        }
        return !too_deep;
      },
      /*allow_exceptions=*/false);
  if (too_deep) return Bad(name, "expected no object or list in the place of a value", text);
  if (duplicate.has_value()) return Bad(name, absl::StrCat("the key ", QuotedName(*duplicate), " occurs twice"), text);
  if (!json.is_object()) return Bad(name, "expected a JSON object", text);
  return json;
}

absl::StatusOr<PropertyMap> ToProperties(const std::string& name, const Json& object, const std::string& text) {
  PropertyMap properties;
  for (const auto& [key, value] : object.items()) {
    std::string* target = &properties[key];
    if (value.is_string()) {
      *target = value.get<std::string>();
    } else if (value.is_boolean()) {
      *target = PropertyToString(value.get<bool>());
    } else if (value.is_number()) {
      *target = value.dump();
    } else {
      return Bad(name, absl::StrCat("expected a string, a number or a boolean for ", QuotedName(key)), text);
    }
    if (absl::StartsWith(key, device_properties.name)) {
      return Bad(name, absl::StrCat("properties of a device cannot hold ", QuotedName(key)), text);
    }
  }
  return properties;
}

std::string Print(const Json& json) {
  return json.dump(/*indent=*/-1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace);
}

}  // namespace

absl::StatusOr<DevicePropertyMap> ParseDeviceProperties(const std::string& name, const std::string& text) {
  BURIN_ASSIGN_OR_RETURN(const Json json, ParseObject(name, text, 2));
  DevicePropertyMap devices;
  for (const auto& [device, object] : json.items()) {
    const absl::StatusOr<ParsedDeviceName> parsed = ParseDeviceName(device);
    if (!parsed.ok()) return Bad(name, parsed.status().message(), text);
    if (parsed->device.name.empty() || parsed->device.excluded || !parsed->list.empty()) {
      return Bad(name, absl::StrCat("expected the name of one device, found ", QuotedName(device)), text);
    }
    if (!object.is_object()) {
      return Bad(name, absl::StrCat("expected an object of properties for ", QuotedName(device)), text);
    }
    BURIN_ASSIGN_OR_RETURN(PropertyMap properties, ToProperties(name, object, text));
    devices[parsed->device.NameAndId()] = std::move(properties);
  }
  return devices;
}

absl::StatusOr<PropertyMap> ParsePropertiesOfOneDevice(const std::string& name, const std::string& text) {
  BURIN_ASSIGN_OR_RETURN(const Json json, ParseObject(name, text, 1));
  return ToProperties(name, json, text);
}

std::string PrintDeviceProperties(const DevicePropertyMap& properties) {
  Json json = Json::object();
  for (const auto& [device, values] : properties) json[device] = values;
  return Print(json);
}

std::string PrintPropertiesOfOneDevice(const PropertyMap& properties) { return Print(Json(properties)); }

}  // namespace burin
