#include "runtime/core/auto_batching.h"

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "runtime/core/device_name.h"
#include "runtime/dev/properties.h"

namespace burin {

namespace {

// Returns the value in force, or `absent` where neither call nor device has one.
template <class T>
absl::StatusOr<T> Ask(const Property<T>& property, T absent, DevicePropertyQuery device_property) {
  const absl::StatusOr<std::string> text = device_property(property.name);
  if (absl::IsNotFound(text.status())) return absent;
  BURIN_RETURN_IF_ERROR(text.status());
  return property.Parse(*text);
}

absl::StatusOr<PerformanceMode> HintInForce(const CompileOptions& options, DevicePropertyQuery device_property) {
  const auto given = options.properties.find(performance_hint.name);
  if (given != options.properties.end()) return performance_hint.Parse(given->second);
  return Ask(performance_hint, PerformanceMode::kLatency, device_property);
}

}  // namespace

absl::StatusOr<std::string> ApplyAutoBatching(const CompileOptions& options, bool batch_registered, bool allowed,
                                              DevicePropertyQuery device_property) {
  if (!batch_registered || !allowed || IsVirtualDevice(options.device.name)) return std::string();
  BURIN_ASSIGN_OR_RETURN(const PerformanceMode hint, HintInForce(options, device_property));
  if (hint != PerformanceMode::kThroughput) return std::string();
  BURIN_ASSIGN_OR_RETURN(const int64_t size, Ask(optimal_batch_size, int64_t{1}, device_property));
  if (size <= 1) return std::string();
  return absl::StrCat("BATCH:", options.device.NameAndId(), "(", size, ")");
}

}  // namespace burin
