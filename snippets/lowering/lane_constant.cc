#include "snippets/lowering/lane_constant.h"

#include <cstdint>

#include "absl/base/casts.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/element_access.h"
#include "base/element_type.h"
#include "ir/tensor.h"
#include "snippets/linear/lane.h"

namespace burin::snippets {

absl::StatusOr<uint64_t> LaneConstant(const ir::Tensor& tensor) {
  const ElementType type = tensor.element_type();
  if (!LaneOf(type).has_value()) {
    return absl::UnimplementedError(absl::StrCat("A constant that lanes do not hold: ", Name(type)));
  }
  if (IsFloat(type)) {
    double value = 0;
    LoadRangeAsDouble(type, tensor.data(), 0, 1, &value);
    if (IsWide(type)) return absl::bit_cast<uint64_t>(value);
    return absl::bit_cast<uint32_t>(static_cast<float>(value));
  }
  int64_t value = 0;
  LoadRangeAsInt64(type, tensor.data(), 0, 1, &value);
  return IsWide(type) ? static_cast<uint64_t>(value) : static_cast<uint32_t>(value);
}

}  // namespace burin::snippets
