// The names of properties, with their types.
//
// A property travels as text (PropertyMap); `Property<T>` gives it a C++ type:
//   core.CompileModel(model, "CPU", {burin::perf_count(true)});
// runtime/dev/properties.inc lists them; property_table.h has what is known of each besides its type. Stateless,
// thread-safe. This header is part of the public interface and speaks std types only.
#ifndef BURIN_RUNTIME_DEV_PROPERTIES_H_
#define BURIN_RUNTIME_DEV_PROPERTIES_H_

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/dev/property_map.h"

namespace burin {

// What PERFORMANCE_HINT asks for: "LATENCY", "THROUGHPUT", "CUMULATIVE_THROUGHPUT".
enum class PerformanceMode { kLatency, kThroughput, kCumulativeThroughput };
// What DEVICE_TYPE answers: "integrated", "discrete".
enum class DeviceType { kIntegrated, kDiscrete };
// What EXECUTION_MODE_HINT asks for: "PERFORMANCE", "ACCURACY".
enum class ExecutionMode { kPerformance, kAccuracy };
// What SCHEDULING_CORE_TYPE asks for: "ANY_CORE", "PCORE_ONLY", "ECORE_ONLY".
enum class SchedulingCoreType { kAnyCore, kPcoreOnly, kEcoreOnly };

// Converts a property's value to text that ParseProperty reads back. Boolean prints YES or NO, a number as short as
// reads back the same; the elements of a list are separated by spaces.
std::string PropertyToString(bool value);
std::string PropertyToString(int64_t value);
std::string PropertyToString(double value);
std::string PropertyToString(const std::string& value);
std::string PropertyToString(const std::vector<std::string>& value);
std::string PropertyToString(PerformanceMode value);
std::string PropertyToString(DeviceType value);
std::string PropertyToString(SchedulingCoreType value);
std::string PropertyToString(ExecutionMode value);

// Reads a property's value from text. Boolean accepts YES, NO, true, false, 1 and 0 in any case; enumerations their
// exact names. InvalidArgument naming the property, the text and what is allowed.
absl::Status ParseProperty(const std::string& name, const std::string& text, bool* value);
absl::Status ParseProperty(const std::string& name, const std::string& text, int64_t* value);
absl::Status ParseProperty(const std::string& name, const std::string& text, double* value);
absl::Status ParseProperty(const std::string& name, const std::string& text, std::string* value);
absl::Status ParseProperty(const std::string& name, const std::string& text, std::vector<std::string>* value);
absl::Status ParseProperty(const std::string& name, const std::string& text, PerformanceMode* value);
absl::Status ParseProperty(const std::string& name, const std::string& text, DeviceType* value);
absl::Status ParseProperty(const std::string& name, const std::string& text, SchedulingCoreType* value);
absl::Status ParseProperty(const std::string& name, const std::string& text, ExecutionMode* value);

// Returns the names of an enumeration of properties (one of those above), in order of declaration.
template <class E>
std::vector<std::string> PropertyEnumNames();

// Returns the InvalidArgument of a value that is not allowed: "Property NAME: expected EXPECTED, given "TEXT"". Long
// text is cut and what does not print is escaped.
absl::Status BadPropertyValue(const std::string& name, const std::string& text, const std::string& expected);

// Returns the NotFound of a property that `owner` does not have: "OWNER has no property NAME that can be USE; there
// are: NAMES". `use` is "set" or "read".
absl::Status NoSuchProperty(const std::string& owner, const std::string& name, const std::string& use,
                            const std::vector<std::string>& names);

// A property's name with the type of its value.
template <class T>
struct Property {
  const char* name;

  // Returns the entry for a PropertyMap. Whether the value is in range is checked by whoever the map is given to.
  std::pair<const std::string, std::string> operator()(const T& value) const { return {name, PropertyToString(value)}; }
  // Refuses what C++ would convert in silence: text to true, and a fraction to a whole number.
  template <class U, std::enable_if_t<(std::is_same_v<T, bool> && !std::is_same_v<std::decay_t<U>, bool>) ||
                                          (std::is_same_v<T, int64_t> && std::is_floating_point_v<std::decay_t<U>>),
                                      int> = 0>
  void operator()(U&&) const = delete;

  // Reads a value from its text; errors as ParseProperty.
  absl::StatusOr<T> Parse(const std::string& text) const {
    T value{};
    absl::Status status = ParseProperty(name, text, &value);
    if (!status.ok()) return status;
    return value;
  }
};

// The property of each row: burin::perf_count and so on.
#define BURIN_PROPERTY(identifier, name, Type, default_value, allowed, scope, cache_relevant, readers, documentation) \
  inline constexpr Property<Type> identifier{name};
#include "runtime/dev/properties.inc"
#undef BURIN_PROPERTY

}  // namespace burin

#endif  // BURIN_RUNTIME_DEV_PROPERTIES_H_
