// Enumerates the types of tensor elements, their names and their sizes.
//
// Use it wherever the type of a tensor is a run-time value. Conversions of values are in base/float_conversion.h
// (floats) and base/element_access.h (any type). The list itself is base/element_types.inc. Stateless, hence
// thread-safe.
#ifndef BURIN_BASE_ELEMENT_TYPE_H_
#define BURIN_BASE_ELEMENT_TYPE_H_

#include <cstddef>
#include <cstdint>
#include <ostream>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/enum_names.h"

namespace burin {

// Names an element type. The numeric values are stable: they go into files.
enum class ElementType : uint8_t {
  kUndefined = 0,
#define BURIN_ELEMENT_TYPE(enumerator, name, value, bits, kind) enumerator = (value),
#include "base/element_types.inc"
#undef BURIN_ELEMENT_TYPE
};

// Classifies element types by how their bits are read. kNone belongs to kUndefined alone.
enum class ElementKind : uint8_t { kNone, kBoolean, kFloat, kSignedInteger, kUnsignedInteger, kString };

// Lists every type but kUndefined, in the order of base/element_types.inc, for tests and tables.
inline constexpr ElementType kAllElementTypes[] = {
#define BURIN_ELEMENT_TYPE(enumerator, name, value, bits, kind) ElementType::enumerator,
#include "base/element_types.inc"
#undef BURIN_ELEMENT_TYPE
};

template <>
struct EnumNames<ElementType> {
  static constexpr EnumEntry<ElementType> kEntries[] = {
      {ElementType::kUndefined, "undefined"},
#define BURIN_ELEMENT_TYPE(enumerator, name, value, bits, kind) {ElementType::enumerator, name},
#include "base/element_types.inc"
#undef BURIN_ELEMENT_TYPE
  };
};

// Returns the name, such as "f32", "boolean" or "undefined"; "unknown" for a value that is no enumerator.
constexpr absl::string_view Name(ElementType type) { return EnumName(type); }

// Returns the type of that name ("undefined" included). InvalidArgument, listing the allowed names, for any other text.
absl::StatusOr<ElementType> ParseElementType(absl::string_view name);

// Returns the type with this stable numeric value, as read from a file. InvalidArgument where there is none.
absl::StatusOr<ElementType> ElementTypeFromValue(int64_t value);

// Prints the name.
std::ostream& operator<<(std::ostream& out, ElementType type);

// Returns how the bits of the type are read.
constexpr ElementKind KindOf(ElementType type) {
  switch (type) {
    case ElementType::kUndefined:
      break;
#define BURIN_ELEMENT_TYPE(enumerator, name, value, bits, kind) \
  case ElementType::enumerator:                                 \
    return ElementKind::kind;
#include "base/element_types.inc"
#undef BURIN_ELEMENT_TYPE
  }
  return ElementKind::kNone;
}

// Returns the width of one element in bits; 0 for kUndefined and kString, which have none.
constexpr int BitWidth(ElementType type) {
  switch (type) {
    case ElementType::kUndefined:
      break;
#define BURIN_ELEMENT_TYPE(enumerator, name, value, bits, kind) \
  case ElementType::enumerator:                                 \
    return (bits);
#include "base/element_types.inc"
#undef BURIN_ELEMENT_TYPE
  }
  return 0;
}

// Return whether the type is of that kind. kBoolean is neither float nor integer.
constexpr bool IsFloat(ElementType type) { return KindOf(type) == ElementKind::kFloat; }
constexpr bool IsSignedInteger(ElementType type) { return KindOf(type) == ElementKind::kSignedInteger; }
constexpr bool IsUnsignedInteger(ElementType type) { return KindOf(type) == ElementKind::kUnsignedInteger; }
constexpr bool IsInteger(ElementType type) { return IsSignedInteger(type) || IsUnsignedInteger(type); }

// Returns whether several elements share a byte (i2, u2, i4, u4, f4e2m1). Element k of a packed array of b-bit elements
// lies in byte k*b/8 at bit (k*b)%8: the first element in the low-order bits, as ONNX and OpenVINO pack.
constexpr bool IsPacked(ElementType type) { return BitWidth(type) > 0 && BitWidth(type) < 8; }

// Returns the digits of a float type's significand, the implicit one included; 0 for other types.
constexpr int SignificandDigits(ElementType type) {
  switch (type) {
    case ElementType::kF64:
      return 53;
    case ElementType::kF32:
      return 24;
    case ElementType::kF16:
      return 11;
    case ElementType::kBf16:
      return 8;
    case ElementType::kF8E4M3FN:
    case ElementType::kF8E4M3FNUZ:
      return 4;
    case ElementType::kF8E5M2:
    case ElementType::kF8E5M2FNUZ:
      return 3;
    case ElementType::kF4E2M1:
      return 2;
    case ElementType::kF8E8M0:
      return 1;
    default:
      return 0;
  }
}

// Returns the bytes that `element_count` contiguous elements take; packed types round up to whole bytes.
// InvalidArgument for a negative count or kUndefined, Unimplemented for kString, ResourceExhausted where the size
// passes 2^63 - 1.
absl::StatusOr<size_t> BytesFor(ElementType type, int64_t element_count);

}  // namespace burin

#endif  // BURIN_BASE_ELEMENT_TYPE_H_
