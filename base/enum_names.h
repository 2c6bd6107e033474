// Names the enumerators of an enum once, for printing and parsing.
//
// Use it for enums that appear in texts, attributes and files. Not for enums with hundreds of values on a hot path:
// both directions search the list. Stateless, hence thread-safe.
//
//   enum class RoundingType { kFloor, kCeil };
//   template <>
//   struct EnumNames<RoundingType> {
//     static constexpr EnumEntry<RoundingType> kEntries[] = {{RoundingType::kFloor, "floor"},
//                                                            {RoundingType::kCeil, "ceil"}};
//   };
#ifndef BURIN_BASE_ENUM_NAMES_H_
#define BURIN_BASE_ENUM_NAMES_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace burin {

// Pairs one enumerator with its name.
template <class E>
struct EnumEntry {
  E value;
  absl::string_view name;
};

// Lists the names of `E`: specialise it in namespace burin with a static constexpr array `kEntries` of EnumEntry<E>.
// The first entry of a value is what prints; further ones are accepted spellings.
template <class E>
struct EnumNames;

// Returns the name of `value`, or "unknown" where no entry has it.
template <class E>
constexpr absl::string_view EnumName(E value) {
  for (const EnumEntry<E>& entry : EnumNames<E>::kEntries) {
    if (entry.value == value) return entry.name;
  }
  return "unknown";
}

// Returns the enumerator called `name` (case matters). InvalidArgument, listing the allowed names, where there is none.
template <class E>
absl::StatusOr<E> ParseEnum(absl::string_view name) {
  for (const EnumEntry<E>& entry : EnumNames<E>::kEntries) {
    if (entry.name == name) return entry.value;
  }
  std::string allowed;
  for (const EnumEntry<E>& entry : EnumNames<E>::kEntries) {
    absl::StrAppend(&allowed, allowed.empty() ? "" : ", ", entry.name);
  }
  return absl::InvalidArgumentError(absl::StrCat("Unknown name; allowed: ", allowed, "; got: \"", name, "\""));
}

}  // namespace burin

#endif  // BURIN_BASE_ENUM_NAMES_H_
