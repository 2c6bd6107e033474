#include "ir/ops/family/element_order.h"

#include <cmath>
#include <limits>

#include "absl/base/casts.h"
#include "base/element_access.h"
#include "base/element_type.h"

namespace burin::ir {
namespace {

constexpr uint64_t kSignBit = uint64_t{1} << 63;

// IEEE 754 numbers of one sign are ordered as their bits are; negative ones the other way round.
uint64_t KeyOf(double value) {
  if (std::isnan(value)) return std::numeric_limits<uint64_t>::max();
  const uint64_t bits = absl::bit_cast<uint64_t>(value == 0 ? 0.0 : value);
  return (bits & kSignBit) != 0 ? ~bits : bits | kSignBit;
}

}  // namespace

ElementOrder::ElementOrder(const Tensor& tensor) : keys_(static_cast<size_t>(tensor.element_count())) {
  const ElementType type = tensor.element_type();
  for (size_t i = 0; i < keys_.size(); ++i) {
    const int64_t at = static_cast<int64_t>(i);
    if (IsFloat(type)) {
      keys_[i] = KeyOf(LoadAsDouble(type, tensor.data(), at));
    } else {
      const uint64_t value = static_cast<uint64_t>(LoadAsInt64(type, tensor.data(), at));
      keys_[i] = IsSignedInteger(type) ? value ^ kSignBit : value;
    }
  }
}

}  // namespace burin::ir
