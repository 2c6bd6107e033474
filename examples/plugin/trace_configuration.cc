#include "examples/plugin/trace_configuration.h"

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "base/status_macros.h"
#include "ir/ops/ops.h"
#include "runtime/dev/property_table.h"

namespace burin::trace {

namespace {

absl::Status CheckOpTypes(const std::string& name, const std::string& text) {
  std::vector<std::string> types;
  BURIN_RETURN_IF_ERROR(ParseProperty(name, text, &types));
  for (const std::string& type : types) {
    if (ir::FindOp(type) == nullptr) return BadPropertyValue(name, text, "types of operations such as MatMul, or none");
  }
  return absl::OkStatus();
}

// Returns a row of the project's table, which must have it.
PropertyInfo TableRow(const char* name) {
  const PropertyInfo* const row = FindProperty(name);
  BURIN_CHECK(row != nullptr) << name;
  return *row;
}

PropertyInfo OwnRow(const char* name, PropertyScope scope, const char* documentation) {
  PropertyInfo row = TableRow(execution_devices.name);  // A list as well; what is not named here is the type's.
  row.name = name;
  row.allowed = "types of operations";
  row.scope = scope;
  row.readers = "TRACE";
  row.documentation = documentation;
  row.check = &CheckOpTypes;
  return row;
}

}  // namespace

Configuration DefaultConfiguration(const std::string& device_name) {
  std::vector<PropertyInfo> rows = {
      OwnRow(trace_ops.name, PropertyScope::kConfig, "The types of operation to count; none: all."),
      OwnRow(trace_counts.name, PropertyScope::kModel, "How often each type of operation was executed."),
  };
  // What every device has.
  for (const char* name : {available_devices.name, execution_devices.name, full_device_name.name, network_name.name,
                           optimal_number_of_infer_requests.name, supported_properties.name}) {
    rows.push_back(TableRow(name));
  }
  return Configuration(absl::StrCat("Device ", device_name), rows);
}

PropertyMap DeviceFacts(const std::string& device_name) {
  return {
      available_devices({""}),
      execution_devices({device_name}),
      full_device_name("Tracing reference evaluator"),
  };
}

PropertyMap ModelFacts(const std::string& device_name, const std::string& model_name, const ExecutionCounts& counts) {
  return {
      execution_devices({device_name}),
      network_name(model_name),
      optimal_number_of_infer_requests(int64_t{1}),
      trace_counts(counts.ToStrings()),
  };
}

}  // namespace burin::trace
