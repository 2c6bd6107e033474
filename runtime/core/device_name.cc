#include "runtime/core/device_name.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace burin {

namespace {

constexpr absl::string_view kVirtualDevices[] = {"AUTO", "BATCH", "HETERO", "MULTI"};
constexpr size_t kQuotedBytes = 80;

bool StartsDevice(char c) { return absl::ascii_isalpha(c) || c == '_'; }
bool ContinuesDevice(char c) { return absl::ascii_isalnum(c) || c == '_' || c == '-'; }
bool ContinuesId(char c) { return ContinuesDevice(c) || c == '.'; }

// Reads `text` from left to right; every refusal tells where it stands.
class NameScanner {
 public:
  explicit NameScanner(absl::string_view text) : text_(text) {}

  bool AtEnd() const { return position_ == text_.size(); }
  absl::string_view Rest() const { return text_.substr(position_); }

  // Passes `c`, if it is next.
  bool Skip(char c) {
    if (AtEnd() || text_[position_] != c) return false;
    ++position_;
    return true;
  }

  // Characters are counted from 1.
  absl::Status Expected(absl::string_view what) const {
    const std::string found = AtEnd() ? "the end" : absl::StrCat("\"", absl::CEscape(text_.substr(position_, 1)), "\"");
    return absl::InvalidArgumentError(absl::StrCat("Illegal device name: at character ", position_ + 1, " expected ",
                                                   what, ", found ", found, ", in ", QuotedName(text_)));
  }

  absl::StatusOr<std::string> Device() {
    if (AtEnd() || !StartsDevice(text_[position_])) return Expected("a device name");
    return Take(&ContinuesDevice);
  }

  absl::StatusOr<DeviceReference> Member() {
    DeviceReference member;
    member.excluded = Skip('-');
    BURIN_ASSIGN_OR_RETURN(member.name, Device());
    if (!Skip('.')) return member;
    member.id = Take(&ContinuesId);
    if (member.id.empty()) return Expected("a device id");
    return member;
  }

  absl::StatusOr<DeviceReference> ListEntry() {
    BURIN_ASSIGN_OR_RETURN(DeviceReference entry, Member());
    if (!Skip('(')) return entry;
    const size_t start = position_;
    const std::string digits = Take(&absl::ascii_isdigit);
    if (!absl::SimpleAtoi(digits, &entry.count) || entry.count < 1 ||
        entry.count > std::numeric_limits<int32_t>::max()) {
      position_ = start;
      return Expected("a number from 1 to 2147483647");
    }
    if (!Skip(')')) return Expected("')'");
    return entry;
  }

  // Reads to the end.
  absl::StatusOr<std::vector<DeviceReference>> List(absl::string_view virtual_device) {
    std::vector<DeviceReference> entries;
    do {
      BURIN_ASSIGN_OR_RETURN(DeviceReference entry, ListEntry());
      entries.push_back(std::move(entry));
      if (virtual_device == "BATCH" && !AtEnd()) return Expected("the end: BATCH takes one device");
    } while (Skip(','));
    if (!AtEnd()) return Expected(entries.back().count == 0 ? "',', '(' or the end" : "',' or the end");
    return entries;
  }

 private:
  template <class Predicate>
  std::string Take(Predicate belongs) {
    const size_t start = position_;
    while (!AtEnd() && belongs(text_[position_])) ++position_;
    return std::string(text_.substr(start, position_ - start));
  }

  const absl::string_view text_;
  size_t position_ = 0;
};

absl::Status CheckLength(absl::string_view text) {
  if (text.size() <= kMaxDeviceNameBytes) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("Illegal device name: longer than ", kMaxDeviceNameBytes,
                                                 " characters, it has ", text.size(), ": ", QuotedName(text)));
}

}  // namespace

std::string DeviceReference::NameAndId() const { return id.empty() ? name : absl::StrCat(name, ".", id); }

bool IsVirtualDevice(absl::string_view name) {
  return std::find(std::begin(kVirtualDevices), std::end(kVirtualDevices), name) != std::end(kVirtualDevices);
}

absl::StatusOr<ParsedDeviceName> ParseDeviceName(absl::string_view text) {
  BURIN_RETURN_IF_ERROR(CheckLength(text));
  ParsedDeviceName parsed;
  if (text.empty()) return parsed;
  if (text == "(CPU)") {
    parsed.device.name = "CPU";
    return parsed;
  }
  NameScanner scanner(text);
  BURIN_ASSIGN_OR_RETURN(parsed.device, scanner.Member());
  const bool is_virtual = IsVirtualDevice(parsed.device.name);
  if (is_virtual && !parsed.device.id.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("Illegal device name: ", parsed.device.name, " has no ids, in ", QuotedName(text)));
  }
  if (is_virtual && !parsed.device.excluded && scanner.Skip(':')) {
    parsed.list = std::string(scanner.Rest());
    BURIN_ASSIGN_OR_RETURN(parsed.members, scanner.List(parsed.device.name));
    return parsed;
  }
  if (scanner.AtEnd()) return parsed;
  if (is_virtual) return scanner.Expected("':' or the end");
  return scanner.Expected(absl::StrCat(parsed.device.id.empty() ? "'.' or " : "",
                                       "the end (only AUTO, BATCH, HETERO and MULTI take a list)"));
}

absl::StatusOr<std::vector<DeviceReference>> ParseDeviceList(absl::string_view virtual_device, absl::string_view list) {
  BURIN_RETURN_IF_ERROR(CheckLength(list));
  return NameScanner(list).List(virtual_device);
}

absl::Status CheckDeviceName(absl::string_view name) {
  BURIN_RETURN_IF_ERROR(CheckLength(name));
  NameScanner scanner(name);
  BURIN_RETURN_IF_ERROR(scanner.Device().status());
  if (scanner.AtEnd()) return absl::OkStatus();
  return scanner.Expected("a letter, a digit, '_', '-' or the end");
}

std::string QuotedName(absl::string_view text) {
  if (text.size() <= kQuotedBytes) return absl::StrCat("\"", absl::CEscape(text), "\"");
  return absl::StrCat("\"", absl::CEscape(text.substr(0, kQuotedBytes)), "\"... (", text.size(), " characters)");
}

}  // namespace burin
