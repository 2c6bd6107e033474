#include "base/element_type.h"

#include <cstddef>
#include <cstdint>
#include <ostream>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/enum_names.h"
#include "base/status_context.h"

namespace burin {

absl::StatusOr<ElementType> ParseElementType(absl::string_view name) {
  absl::StatusOr<ElementType> type = ParseEnum<ElementType>(name);
  if (!type.ok()) return WithContext(type.status(), "Element type");
  return type;
}

absl::StatusOr<ElementType> ElementTypeFromValue(int64_t value) {
  for (const EnumEntry<ElementType>& entry : EnumNames<ElementType>::kEntries) {
    if (static_cast<int64_t>(entry.value) == value) return entry.value;
  }
  return absl::InvalidArgumentError(absl::StrCat("No element type has this value: ", value));
}

std::ostream& operator<<(std::ostream& out, ElementType type) { return out << Name(type); }

absl::StatusOr<size_t> BytesFor(ElementType type, int64_t element_count) {
  if (element_count < 0) {
    return absl::InvalidArgumentError(absl::StrCat("Element count is negative: ", element_count));
  }
  if (type == ElementType::kString) return absl::UnimplementedError("String elements have no fixed size in bytes");
  const int bits = BitWidth(type);
  if (bits == 0) return absl::InvalidArgumentError(absl::StrCat("Element type has no size: ", Name(type)));
  if (bits < 8) {
    const int64_t per_byte = 8 / bits;
    return static_cast<size_t>(element_count / per_byte + (element_count % per_byte != 0 ? 1 : 0));
  }
  const int64_t bytes = bits / 8;
  if (element_count > INT64_MAX / bytes) {
    return absl::ResourceExhaustedError(
        absl::StrCat("Size in bytes passes 63 bits: ", element_count, " elements of ", Name(type)));
  }
  return static_cast<size_t>(element_count * bytes);
}

}  // namespace burin
