#include "runtime/plugins/cpu/config.h"

#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "runtime/dev/instance/one_instance.h"
#include "runtime/dev/properties.h"
#include "runtime/dev/property_table.h"
#include "runtime/executor/cpu_allowance.h"

namespace burin::cpu {

namespace {

constexpr char kComputedType[] = "f32";

absl::Status CheckPrecision(const std::string& name, const std::string& text) {
  if (text == kComputedType) return absl::OkStatus();
  return BadPropertyValue(name, text, absl::StrCat(kComputedType, ", the type that this device computes floats in"));
}

// Returns the rows of the device, INFERENCE_PRECISION_HINT narrowed to what it computes in.
std::vector<PropertyInfo> Rows() {
  std::vector<PropertyInfo> rows = OneInstanceRows("CPU");
  for (PropertyInfo& row : rows) {
    if (row.name != absl::string_view(inference_precision_hint.name)) continue;
    row.allowed = kComputedType;
    row.check = &CheckPrecision;
  }
  return rows;
}

}  // namespace

Configuration DefaultConfiguration(const std::string& device_name) {
  return OneInstanceConfiguration(device_name, Rows());
}

Configuration ContextConfiguration(const std::string& device_name) {
  return OneInstanceContextConfiguration(device_name, Rows());
}

PropertyMap DeviceFacts(const std::string& device_name) {
  PropertyMap facts = OneInstanceFacts(device_name);
  facts.insert({
      full_device_name("Burin CPU"),
      optimization_capabilities({"FP32"}),
      range_for_async_infer_requests({"1", absl::StrCat(executor::ReadAffinityMask().size()), "1"}),
  });
  return facts;
}

PropertyMap ModelFacts(const std::string& device_name, const std::string& model_name, int64_t streams) {
  return {
      execution_devices({device_name}),
      network_name(model_name),
      optimal_number_of_infer_requests(streams),
  };
}

}  // namespace burin::cpu
