#include "runtime/dev/properties.h"

#include <charconv>
#include <cmath>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "base/enum_names.h"

namespace burin {

template <>
struct EnumNames<PerformanceMode> {
  static constexpr EnumEntry<PerformanceMode> kEntries[] = {
      {PerformanceMode::kLatency, "LATENCY"},
      {PerformanceMode::kThroughput, "THROUGHPUT"},
      {PerformanceMode::kCumulativeThroughput, "CUMULATIVE_THROUGHPUT"}};
};

template <>
struct EnumNames<DeviceType> {
  static constexpr EnumEntry<DeviceType> kEntries[] = {{DeviceType::kIntegrated, "integrated"},
                                                       {DeviceType::kDiscrete, "discrete"}};
};

template <>
struct EnumNames<ExecutionMode> {
  static constexpr EnumEntry<ExecutionMode> kEntries[] = {{ExecutionMode::kPerformance, "PERFORMANCE"},
                                                          {ExecutionMode::kAccuracy, "ACCURACY"}};
};

template <>
struct EnumNames<SchedulingCoreType> {
  static constexpr EnumEntry<SchedulingCoreType> kEntries[] = {{SchedulingCoreType::kAnyCore, "ANY_CORE"},
                                                               {SchedulingCoreType::kPcoreOnly, "PCORE_ONLY"},
                                                               {SchedulingCoreType::kEcoreOnly, "ECORE_ONLY"}};
};

namespace {

// Returns text from outside for a message: escaped, and cut where it is long.
std::string Shown(absl::string_view text) {
  constexpr size_t kShownBytes = 100;
  return absl::StrCat(absl::CEscape(text.substr(0, kShownBytes)), text.size() > kShownBytes ? "..." : "");
}

// "A, B or C".
std::string Alternatives(const std::vector<std::string>& names) {
  std::string text = names.front();
  for (size_t i = 1; i < names.size(); ++i) absl::StrAppend(&text, i + 1 == names.size() ? " or " : ", ", names[i]);
  return text;
}

template <class E>
absl::Status ParseEnumeration(const std::string& name, const std::string& text, E* value) {
  const absl::StatusOr<E> parsed = ParseEnum<E>(text);
  if (!parsed.ok()) return BadPropertyValue(name, text, Alternatives(PropertyEnumNames<E>()));
  *value = *parsed;
  return absl::OkStatus();
}

}  // namespace

template <class E>
std::vector<std::string> PropertyEnumNames() {
  std::vector<std::string> names;
  for (const EnumEntry<E>& entry : EnumNames<E>::kEntries) names.emplace_back(entry.name);
  return names;
}
template std::vector<std::string> PropertyEnumNames<PerformanceMode>();
template std::vector<std::string> PropertyEnumNames<DeviceType>();
template std::vector<std::string> PropertyEnumNames<SchedulingCoreType>();
template std::vector<std::string> PropertyEnumNames<ExecutionMode>();

absl::Status BadPropertyValue(const std::string& name, const std::string& text, const std::string& expected) {
  return absl::InvalidArgumentError(
      absl::StrCat("Property ", Shown(name), ": expected ", expected, ", given \"", Shown(text), "\""));
}

absl::Status NoSuchProperty(const std::string& owner, const std::string& name, const std::string& use,
                            const std::vector<std::string>& names) {
  return absl::NotFoundError(
      absl::StrCat(owner, " has no property ", Shown(name), " that can be ", use,
                   names.empty() ? "; there are none" : "; there are: ", absl::StrJoin(names, ", ")));
}

std::string PropertyToString(bool value) { return value ? "YES" : "NO"; }
std::string PropertyToString(int64_t value) { return absl::StrCat(value); }
std::string PropertyToString(double value) {
  char text[32];  // A double needs at most 24 characters.
  return std::string(text, std::to_chars(text, text + sizeof(text), value).ptr);
}
std::string PropertyToString(const std::string& value) { return value; }
std::string PropertyToString(const std::vector<std::string>& value) { return absl::StrJoin(value, " "); }
std::string PropertyToString(PerformanceMode value) { return std::string(EnumName(value)); }
std::string PropertyToString(DeviceType value) { return std::string(EnumName(value)); }
std::string PropertyToString(SchedulingCoreType value) { return std::string(EnumName(value)); }
std::string PropertyToString(ExecutionMode value) { return std::string(EnumName(value)); }

absl::Status ParseProperty(const std::string& name, const std::string& text, bool* value) {
  const std::string lower = absl::AsciiStrToLower(text);
  if (lower == "yes" || lower == "true" || lower == "1") {
    *value = true;
  } else if (lower == "no" || lower == "false" || lower == "0") {
    *value = false;
  } else {
    return BadPropertyValue(name, text, "YES or NO");
  }
  return absl::OkStatus();
}

absl::Status ParseProperty(const std::string& name, const std::string& text, int64_t* value) {
  if (!absl::SimpleAtoi(text, value)) return BadPropertyValue(name, text, "an integer");
  return absl::OkStatus();
}

absl::Status ParseProperty(const std::string& name, const std::string& text, double* value) {
  if (!absl::SimpleAtod(text, value) || !std::isfinite(*value)) return BadPropertyValue(name, text, "a finite number");
  return absl::OkStatus();
}

absl::Status ParseProperty(const std::string&, const std::string& text, std::string* value) {
  *value = text;
  return absl::OkStatus();
}

absl::Status ParseProperty(const std::string&, const std::string& text, std::vector<std::string>* value) {
  *value = absl::StrSplit(text, ' ', absl::SkipEmpty());
  return absl::OkStatus();
}

absl::Status ParseProperty(const std::string& name, const std::string& text, PerformanceMode* value) {
  return ParseEnumeration(name, text, value);
}

absl::Status ParseProperty(const std::string& name, const std::string& text, DeviceType* value) {
  return ParseEnumeration(name, text, value);
}

absl::Status ParseProperty(const std::string& name, const std::string& text, SchedulingCoreType* value) {
  return ParseEnumeration(name, text, value);
}

absl::Status ParseProperty(const std::string& name, const std::string& text, ExecutionMode* value) {
  return ParseEnumeration(name, text, value);
}

}  // namespace burin
