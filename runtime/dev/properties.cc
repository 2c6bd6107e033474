#include "runtime/dev/properties.h"

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace burin {

namespace {

absl::Status BadValue(const std::string& name, const std::string& text, absl::string_view allowed) {
  return absl::InvalidArgumentError(absl::StrCat("Property ", name, ": expected ", allowed, ", given \"", text, "\""));
}

}  // namespace

std::string PropertyToString(bool value) { return value ? "YES" : "NO"; }
std::string PropertyToString(int64_t value) { return absl::StrCat(value); }
std::string PropertyToString(const std::string& value) { return value; }
std::string PropertyToString(const std::vector<std::string>& value) { return absl::StrJoin(value, " "); }

absl::Status ParseProperty(const std::string& name, const std::string& text, bool* value) {
  const std::string lower = absl::AsciiStrToLower(text);
  if (lower == "yes" || lower == "true" || lower == "1") {
    *value = true;
  } else if (lower == "no" || lower == "false" || lower == "0") {
    *value = false;
  } else {
    return BadValue(name, text, "YES or NO");
  }
  return absl::OkStatus();
}

absl::Status ParseProperty(const std::string& name, const std::string& text, int64_t* value) {
  if (!absl::SimpleAtoi(text, value)) return BadValue(name, text, "an integer");
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

}  // namespace burin
