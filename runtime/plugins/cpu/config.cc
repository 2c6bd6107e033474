#include "runtime/plugins/cpu/config.h"

#include <algorithm>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "runtime/dev/properties.h"
#include "runtime/dev/property_table.h"
#include "runtime/executor/cpu_allowance.h"

namespace burin::cpu {

namespace {

bool IsDeviceId(const PropertyInfo& row) { return row.name == absl::string_view(device_id.name); }

absl::Status CheckDeviceId(const std::string& name, const std::string& text) {
  return text.empty() || text == "0" ? absl::OkStatus() : BadPropertyValue(name, text, "0 or nothing");
}

// Returns the rows of the device, DEVICE_ID narrowed to its one instance.
std::vector<PropertyInfo> Rows() {
  std::vector<PropertyInfo> rows = PropertiesReadBy("CPU");
  for (PropertyInfo& row : rows) {
    if (!IsDeviceId(row)) continue;
    row.allowed = "0 or nothing";
    row.check = &CheckDeviceId;
  }
  return rows;
}

}  // namespace

Configuration DefaultConfiguration(const std::string& device_name) {
  return Configuration(absl::StrCat("Device ", device_name), Rows());
}

Configuration ContextConfiguration(const std::string& device_name) {
  std::vector<PropertyInfo> rows = Rows();
  rows.erase(std::remove_if(rows.begin(), rows.end(), [](const PropertyInfo& row) { return !IsDeviceId(row); }),
             rows.end());
  return Configuration(absl::StrCat("A context of ", device_name), rows);
}

PropertyMap DeviceFacts(const std::string& device_name) {
  return {
      available_devices({""}),
      device_architecture("intel64"),
      device_type(DeviceType::kIntegrated),
      execution_devices({device_name}),
      full_device_name("Burin CPU"),
      optimization_capabilities({"FP32"}),
      range_for_async_infer_requests({"1", absl::StrCat(executor::ReadAffinityMask().size()), "1"}),
  };
}

PropertyMap ModelFacts(const std::string& device_name, const std::string& model_name, int64_t streams) {
  return {
      execution_devices({device_name}),
      network_name(model_name),
      optimal_number_of_infer_requests(streams),
  };
}

}  // namespace burin::cpu
