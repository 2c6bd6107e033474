#include "snippets/lowering/lane_constant.h"

#include <cstdint>

#include "absl/base/casts.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/element_access.h"
#include "base/element_type.h"
#include "ir/tensor.h"

namespace burin::snippets {

absl::StatusOr<uint32_t> LaneConstant(const ir::Tensor& tensor) {
  const ElementType type = tensor.element_type();
  if (type == ElementType::kF64 || (BitWidth(type) > 32 && KindOf(type) != ElementKind::kFloat) ||
      type == ElementType::kU32) {
    return absl::UnimplementedError(absl::StrCat("A constant that lanes of 32 bits do not hold: ", Name(type)));
  }
  if (IsFloat(type)) {
    double value = 0;
    LoadRangeAsDouble(type, tensor.data(), 0, 1, &value);
    return absl::bit_cast<uint32_t>(static_cast<float>(value));
  }
  int64_t value = 0;
  LoadRangeAsInt64(type, tensor.data(), 0, 1, &value);
  return static_cast<uint32_t>(value);
}

}  // namespace burin::snippets
