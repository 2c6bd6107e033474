// The names of properties, with their types.
//
// A property travels as text (PropertyMap); `Property<T>` gives it a C++ type:
//   core.CompileModel(model, "CPU", {burin::perf_count(true)});
// Stateless, thread-safe. This header is part of the public interface and speaks std types only.
#ifndef BURIN_RUNTIME_DEV_PROPERTIES_H_
#define BURIN_RUNTIME_DEV_PROPERTIES_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/dev/property_map.h"

namespace burin {

// Converts a property's value to and from text. Boolean accepts YES, NO, true, false, 1, 0 and prints YES or NO; lists
// are separated by spaces.
std::string PropertyToString(bool value);
std::string PropertyToString(int64_t value);
std::string PropertyToString(const std::string& value);
std::string PropertyToString(const std::vector<std::string>& value);
// InvalidArgument naming the property, the text and what is allowed.
absl::Status ParseProperty(const std::string& name, const std::string& text, bool* value);
absl::Status ParseProperty(const std::string& name, const std::string& text, int64_t* value);
absl::Status ParseProperty(const std::string& name, const std::string& text, std::string* value);
absl::Status ParseProperty(const std::string& name, const std::string& text, std::vector<std::string>* value);

// A property's name with the type of its value.
template <class T>
struct Property {
  const char* name;
  // Returns the entry for a PropertyMap.
  std::pair<const std::string, std::string> operator()(const T& value) const { return {name, PropertyToString(value)}; }
  absl::StatusOr<T> Parse(const std::string& text) const {
    T value{};
    absl::Status status = ParseProperty(name, text, &value);
    if (!status.ok()) return status;
    return value;
  }
};

// Collects per-node times for GetProfilingInfo(). Default NO.
inline constexpr Property<bool> perf_count{"PERF_COUNT"};
// Read-only: the properties that a device, a compiled model or the Core has, each with its access: "NAME:RW" or
// "NAME:RO".
inline constexpr Property<std::vector<std::string>> supported_properties{"SUPPORTED_PROPERTIES"};
// Read-only: the ids of a device's instances; one empty id where it has one instance.
inline constexpr Property<std::vector<std::string>> available_devices{"AVAILABLE_DEVICES"};
// Read-only: a device's marketing name.
inline constexpr Property<std::string> full_device_name{"FULL_DEVICE_NAME"};
// Read-only: the compiled model's name.
inline constexpr Property<std::string> network_name{"NETWORK_NAME"};
// Read-only: the devices that execute a compiled model.
inline constexpr Property<std::vector<std::string>> execution_devices{"EXECUTION_DEVICES"};
// Read-only: how many requests keep the device busy.
inline constexpr Property<int64_t> optimal_number_of_infer_requests{"OPTIMAL_NUMBER_OF_INFER_REQUESTS"};

}  // namespace burin

#endif  // BURIN_RUNTIME_DEV_PROPERTIES_H_
