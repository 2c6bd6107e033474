#include "ir/shape.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace burin::ir {

absl::StatusOr<int64_t> ElementCount(const Shape& shape) {
  if (static_cast<int64_t>(shape.size()) > kMaxRank) {
    return absl::InvalidArgumentError(absl::StrCat("Rank is above ", kMaxRank, ": ", shape.size()));
  }
  int64_t product = 1;  // Of the dimensions that are not zero.
  bool has_zero = false;
  for (const int64_t dim : shape) {
    if (dim < 0) return absl::InvalidArgumentError(absl::StrCat("Negative dimension in shape ", ToString(shape)));
    if (dim == 0) {
      has_zero = true;
    } else if (__builtin_mul_overflow(product, dim, &product)) {
      return absl::InvalidArgumentError(
          absl::StrCat("The number of elements does not fit into 64 bits for shape ", ToString(shape)));
    }
  }
  return has_zero ? 0 : product;
}

std::string ToString(const Shape& shape) { return absl::StrCat("[", absl::StrJoin(shape, ","), "]"); }

std::vector<int64_t> RowMajorStrides(const Shape& shape) {
  std::vector<int64_t> strides(shape.size());
  int64_t stride = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= std::max<int64_t>(shape[i], 1);
  }
  return strides;
}

absl::StatusOr<Shape> BroadcastShapes(const Shape& a, const Shape& b) {
  const Shape& longer = a.size() >= b.size() ? a : b;
  const Shape& shorter = a.size() >= b.size() ? b : a;
  Shape result = longer;
  const size_t lead = longer.size() - shorter.size();
  for (size_t i = 0; i < shorter.size(); ++i) {
    const int64_t other = shorter[i];
    int64_t& dim = result[lead + i];
    if (dim == other || other == 1) continue;
    if (dim != 1) {
      return absl::InvalidArgumentError(absl::StrCat("Shapes do not broadcast: ", ToString(a), " and ", ToString(b)));
    }
    dim = other;
  }
  return result;
}

absl::StatusOr<int64_t> NormalizeAxis(int64_t axis, int64_t rank) {
  if (axis < -rank || axis >= rank) {
    return absl::InvalidArgumentError(absl::StrCat("Axis is outside of rank ", rank, ": ", axis));
  }
  return axis < 0 ? axis + rank : axis;
}

}  // namespace burin::ir
