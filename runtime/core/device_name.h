// The names by which users ask for devices, taken apart.
//
//   name    := "" | "(CPU)" | member | virtual [ ":" list ]
//   virtual := "AUTO" | "BATCH" | "HETERO" | "MULTI"
//   list    := entry { "," entry }                 (BATCH takes one entry)
//   entry   := member [ "(" count ")" ]
//   member  := [ "-" ] device [ "." id ]           ("-" excludes the device: "AUTO:-GPU")
//   device  := letter or "_", then letters, digits, "_" and "-"
//   id      := letters, digits, "_", "-" and "."
//   count   := 1 to 2147483647
//
// Only the form is decided here: which devices exist, and what a name stands for, is runtime/core/dispatch_table.h's
// business. Value types and pure functions, thread-safe.
#ifndef BURIN_RUNTIME_CORE_DEVICE_NAME_H_
#define BURIN_RUNTIME_CORE_DEVICE_NAME_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace burin {

// No name is longer: what is has been built by mistake.
inline constexpr size_t kMaxDeviceNameBytes = 4096;

// One device, as a name or an entry of a list gives it.
struct DeviceReference {
  std::string name;
  std::string id;         // Empty where none is given.
  int64_t count = 0;      // The number in parentheses (a batch size, a number of requests); 0 where there is none.
  bool excluded = false;  // Whether a '-' stands in front.

  // Returns "NAME" or "NAME.id".
  std::string NameAndId() const;
};

struct ParsedDeviceName {
  DeviceReference device;                // Its name is empty for the empty name, "CPU" for "(CPU)".
  std::string list;                      // What follows the ':', as it was written; empty where there is no list.
  std::vector<DeviceReference> members;  // The entries of `list`.
};

// Returns whether `name` is AUTO, BATCH, HETERO or MULTI: devices that stand for others.
bool IsVirtualDevice(absl::string_view name);

// Takes a device name apart. InvalidArgument telling the character and what is expected there.
absl::StatusOr<ParsedDeviceName> ParseDeviceName(absl::string_view text);

// Takes apart a list for a virtual device, as MULTI_DEVICE_PRIORITIES carries it. InvalidArgument as ParseDeviceName.
absl::StatusOr<std::vector<DeviceReference>> ParseDeviceList(absl::string_view virtual_device, absl::string_view list);

// Checks the name under which a device is to be registered: a `device` of the grammar, without an id. InvalidArgument
// telling the character.
absl::Status CheckDeviceName(absl::string_view name);

// Returns `text` in quotes with every unprintable byte escaped and anything long shortened, for messages.
std::string QuotedName(absl::string_view text);

}  // namespace burin

#endif  // BURIN_RUNTIME_CORE_DEVICE_NAME_H_
