#include "tools/query/device_report.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "base/status_macros.h"
#include "runtime/dev/properties.h"
#include "runtime/dev/property_table.h"

namespace burin::query {

using Json = nlohmann::ordered_json;

absl::StatusOr<DeviceReport> QueryDevice(const Core& core, const std::string& device_name) {
  DeviceReport report;
  BURIN_ASSIGN_OR_RETURN(report.versions, core.GetVersions(device_name));
  // To the Core's properties an empty name means the Core itself.
  report.name = device_name.empty() ? report.versions.begin()->first : device_name;
  BURIN_ASSIGN_OR_RETURN(const std::vector<std::string> entries, core.GetProperty(report.name, supported_properties));
  for (const std::string& entry : entries) {
    const std::pair<std::string, std::string> parts = absl::StrSplit(entry, absl::MaxSplits(':', 1));
    PropertyReport property;
    property.name = parts.first;
    property.access = parts.second;
    BURIN_ASSIGN_OR_RETURN(property.value, core.GetProperty(report.name, property.name));
    if (const PropertyInfo* const row = FindProperty(property.name); row != nullptr) {
      property.type = row->type;
      property.documentation = row->documentation;
      if (property.access == "RW") {
        property.allowed = row->allowed;
        property.default_value = row->default_value;
      }
    }
    report.properties.push_back(std::move(property));
  }
  return report;
}

std::string ToText(const DeviceReport& report) {
  std::string text = absl::StrCat("device ", report.name, "\n");
  for (const auto& [name, version] : report.versions) {
    absl::StrAppend(&text, "  ", name, " ", version.build, " (", version.description, ")\n");
  }
  absl::StrAppend(&text, "properties\n");
  for (const PropertyReport& property : report.properties) {
    absl::StrAppend(&text, "  ", property.access, " ", property.name, " = \"", property.value, "\"\n");
    if (!property.documentation.empty()) absl::StrAppend(&text, "       ", property.documentation, "\n");
    if (!property.allowed.empty()) {
      absl::StrAppendFormat(&text, "       %s: %s; default \"%s\"\n", property.type, property.allowed,
                            property.default_value);
    }
  }
  return text;
}

Json ToJson(const DeviceReport& report) {
  Json json = Json::object();
  json["name"] = report.name;
  json["versions"] = Json::object();
  for (const auto& [name, version] : report.versions) {
    json["versions"][name] = {{"build", version.build}, {"description", version.description}};
  }
  json["properties"] = Json::array();
  for (const PropertyReport& property : report.properties) {
    Json entry = {{"name", property.name}, {"access", property.access}, {"value", property.value}};
    if (!property.type.empty()) {
      entry["type"] = property.type;
      entry["documentation"] = property.documentation;
    }
    if (!property.allowed.empty()) {
      entry["allowed"] = property.allowed;
      entry["default"] = property.default_value;
    }
    json["properties"].push_back(std::move(entry));
  }
  return json;
}

}  // namespace burin::query
