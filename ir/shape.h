// A tensor's static shape and the arithmetic on it.
//
// `Shape` is a plain vector of dimensions, outermost first; `{}` is the shape of a scalar. Sizes are computed with
// overflow checks, since a shape may come from an untrusted file. For shapes that are not fully known use
// `PartialShape`. Everything here is stateless and thread-safe.
#ifndef BURIN_IR_SHAPE_H_
#define BURIN_IR_SHAPE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace burin::ir {

using Shape = std::vector<int64_t>;

// Per-dimension distances in bytes between neighbouring elements, outermost first; may be zero (broadcast) or negative.
using ByteStrides = std::vector<int64_t>;

// The largest rank that any tensor may have; a file that claims more is refused before anything is allocated.
inline constexpr int64_t kMaxRank = 64;

// Returns the number of elements. InvalidArgument for a negative dimension, a rank above kMaxRank, or a product
// (of the dimensions that are not zero) that does not fit into int64_t.
absl::StatusOr<int64_t> ElementCount(const Shape& shape);

// Prints as `[1,3,224,224]`; a scalar is `[]`.
std::string ToString(const Shape& shape);

// Returns the row-major distances in elements (not bytes): the last is 1. Dimensions of size zero count as one, so
// that the distances stay meaningful. Requires a shape that ElementCount accepts.
std::vector<int64_t> RowMajorStrides(const Shape& shape);

// Returns the shape to which `a` and `b` broadcast under NumPy's rule (aligned at the innermost dimension; a 1
// stretches). InvalidArgument where they do not.
absl::StatusOr<Shape> BroadcastShapes(const Shape& a, const Shape& b);

// Maps an axis in [-rank, rank) to [0, rank). InvalidArgument outside.
absl::StatusOr<int64_t> NormalizeAxis(int64_t axis, int64_t rank);

}  // namespace burin::ir

#endif  // BURIN_IR_SHAPE_H_
