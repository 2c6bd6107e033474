#include "snippets/codegen/reduction_identity.h"

#include <cstdint>
#include <limits>

#include "absl/base/casts.h"
#include "base/element_type.h"
#include "snippets/linear/linear_ir.h"

namespace burin::snippets {
namespace {

int64_t LowestOf(ElementType type) {
  return KindOf(type) == ElementKind::kSignedInteger ? -(int64_t{1} << (BitWidth(type) - 1)) : 0;
}

int64_t HighestOf(ElementType type) {
  if (type == ElementType::kBoolean) return 1;
  return (int64_t{1} << (BitWidth(type) - (KindOf(type) == ElementKind::kSignedInteger ? 1 : 0))) - 1;
}

}  // namespace

uint32_t ReductionIdentity(Reduction reduction, ElementType type) {
  const bool is_float = IsFloat(type);
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  switch (reduction) {
    case Reduction::kProduct:
      return is_float ? absl::bit_cast<uint32_t>(1.0f) : 1;
    case Reduction::kMaximum:
      return is_float ? absl::bit_cast<uint32_t>(-kInfinity) : static_cast<uint32_t>(LowestOf(type));
    case Reduction::kMinimum:
      return is_float ? absl::bit_cast<uint32_t>(kInfinity) : static_cast<uint32_t>(HighestOf(type));
    case Reduction::kSum:
      break;
  }
  return 0;
}

}  // namespace burin::snippets
