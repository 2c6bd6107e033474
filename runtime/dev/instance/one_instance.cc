#include "runtime/dev/instance/one_instance.h"

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "runtime/dev/properties.h"

namespace burin {

namespace {

constexpr char kAllowedIds[] = "0 or nothing";

bool IsDeviceId(const PropertyInfo& row) { return row.name == absl::string_view(device_id.name); }

absl::Status CheckDeviceId(const std::string& name, const std::string& text) {
  return text.empty() || text == "0" ? absl::OkStatus() : BadPropertyValue(name, text, kAllowedIds);
}

}  // namespace

std::vector<PropertyInfo> OneInstanceRows(absl::string_view reader) {
  std::vector<PropertyInfo> rows = PropertiesReadBy(reader);
  for (PropertyInfo& row : rows) {
    if (!IsDeviceId(row)) continue;
    row.allowed = kAllowedIds;
    row.check = &CheckDeviceId;
  }
  return rows;
}

Configuration OneInstanceConfiguration(const std::string& device_name, const std::vector<PropertyInfo>& rows) {
  return Configuration(absl::StrCat("Device ", device_name), rows);
}

Configuration OneInstanceContextConfiguration(const std::string& device_name, std::vector<PropertyInfo> rows) {
  rows.erase(std::remove_if(rows.begin(), rows.end(), [](const PropertyInfo& row) { return !IsDeviceId(row); }),
             rows.end());
  return Configuration(absl::StrCat("A context of ", device_name), rows);
}

PropertyMap OneInstanceFacts(const std::string& device_name) {
  return {
      available_devices({""}),
      device_architecture("intel64"),
      device_type(DeviceType::kIntegrated),
      execution_devices({device_name}),
  };
}

}  // namespace burin
