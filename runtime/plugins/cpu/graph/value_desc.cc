#include "runtime/plugins/cpu/graph/value_desc.h"

#include <cstddef>
#include <limits>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "base/status_macros.h"

namespace burin::cpu {

namespace {

// Returns the dimensions from the outermost in memory to the innermost.
std::vector<size_t> OrderOf(const ValueDesc& desc) {
  std::vector<size_t> order;
  const size_t rank = desc.shape.size();
  const bool channels_last = desc.layout == Layout::kChannelsLast && rank >= 3;
  for (size_t d = 0; d < rank; ++d) {
    if (!channels_last || d != 1) order.push_back(d);
  }
  if (channels_last) order.push_back(1);
  return order;
}

}  // namespace

absl::StatusOr<int64_t> BytesOf(const ValueDesc& desc) {
  BURIN_ASSIGN_OR_RETURN(const int64_t count, ir::ElementCount(desc.shape));
  const int64_t bits = static_cast<int64_t>(BitWidth(desc.type));
  if (count > (std::numeric_limits<int64_t>::max() - 7) / bits) {
    return absl::ResourceExhaustedError(absl::StrCat("The bytes of a value do not fit int64: ", ToString(desc)));
  }
  return (count * bits + 7) / 8;
}

ir::ByteStrides StridesOf(const ValueDesc& desc) {
  BURIN_DCHECK(!IsPacked(desc.type));
  ir::ByteStrides strides(desc.shape.size(), 0);
  int64_t stride = static_cast<int64_t>(BitWidth(desc.type)) / 8;
  const std::vector<size_t> order = OrderOf(desc);
  for (size_t i = order.size(); i-- > 0;) {
    strides[order[i]] = stride;
    stride *= desc.shape[order[i]] == 0 ? 1 : desc.shape[order[i]];
  }
  return strides;
}

bool SameBytes(const ValueDesc& a, const ValueDesc& b) {
  if (a.layout == b.layout) return true;
  for (const int64_t size : a.shape) {
    if (size == 0) return true;
  }
  // Dimensions of one element are nowhere in particular.
  const auto order = [](const ValueDesc& desc) {
    std::vector<size_t> dims;
    for (const size_t d : OrderOf(desc)) {
      if (desc.shape[d] != 1) dims.push_back(d);
    }
    return dims;
  };
  return order(a) == order(b);
}

std::string ToString(const ValueDesc& desc) {
  return absl::StrCat(Name(desc.type), ir::ToString(desc.shape),
                      desc.layout == Layout::kChannelsLast ? " channels last" : "");
}

}  // namespace burin::cpu
