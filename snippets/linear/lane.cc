#include "snippets/linear/lane.h"

#include <optional>

#include "base/element_type.h"

namespace burin::snippets {

std::optional<Lane> LaneOf(ElementType type) {
  switch (type) {
    case ElementType::kF32:
    case ElementType::kF16:
    case ElementType::kBf16:
      return Lane::kFloat;
    case ElementType::kI8:
    case ElementType::kU8:
    case ElementType::kI16:
    case ElementType::kU16:
    case ElementType::kI32:
      return Lane::kInteger;
    case ElementType::kBoolean:
      return Lane::kBoolean;
    case ElementType::kF64:
      return Lane::kF64;
    case ElementType::kI64:
      return Lane::kI64;
    default:
      return std::nullopt;
  }
}

}  // namespace burin::snippets
