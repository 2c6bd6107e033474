#include "snippets/codegen/reductions/reduction_identity.h"

#include <cstdint>
#include <limits>

#include "absl/base/casts.h"
#include "base/element_type.h"
#include "snippets/linear/linear_ir.h"

namespace burin::snippets {
namespace {

int64_t LowestOf(ElementType type) {
  if (type == ElementType::kI64) return std::numeric_limits<int64_t>::min();
  return KindOf(type) == ElementKind::kSignedInteger ? -(int64_t{1} << (BitWidth(type) - 1)) : 0;
}

int64_t HighestOf(ElementType type) {
  if (type == ElementType::kBoolean) return 1;
  if (type == ElementType::kI64) return std::numeric_limits<int64_t>::max();
  return (int64_t{1} << (BitWidth(type) - (KindOf(type) == ElementKind::kSignedInteger ? 1 : 0))) - 1;
}

// Returns the bits of the lane of a float.
uint64_t BitsOf(double value, ElementType type) {
  if (type == ElementType::kF64) return absl::bit_cast<uint64_t>(value);
  return absl::bit_cast<uint32_t>(static_cast<float>(value));
}

// Returns the bits of the lane of an integer.
uint64_t BitsOf(int64_t value, ElementType type) {
  return type == ElementType::kI64 ? static_cast<uint64_t>(value) : static_cast<uint32_t>(value);
}

}  // namespace

uint64_t ReductionIdentity(Reduction reduction, ElementType type) {
  const bool is_float = IsFloat(type);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  switch (reduction) {
    case Reduction::kProduct:
      return is_float ? BitsOf(1.0, type) : 1;
    case Reduction::kMaximum:
      return is_float ? BitsOf(-kInfinity, type) : BitsOf(LowestOf(type), type);
    case Reduction::kMinimum:
      return is_float ? BitsOf(kInfinity, type) : BitsOf(HighestOf(type), type);
    case Reduction::kSum:
      break;
  }
  return 0;
}

}  // namespace burin::snippets
