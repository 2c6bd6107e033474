// The arithmetic of start:stop:step on one dimension, as Python defines it: what Slice and StridedSlice share.
//
// Negative start and stop count from the end; both are clamped to the dimension; a negative step walks backwards.
// Stateless, thread-safe.
#ifndef BURIN_IR_OPS_FAMILY_SLICING_H_
#define BURIN_IR_OPS_FAMILY_SLICING_H_

#include <cstdint>

#include "ir/dimension.h"

namespace burin::ir {

// The elements first, first + step, ... that a slice takes; `first` is meaningless where count is 0.
struct SliceRange {
  int64_t first = 0;
  int64_t step = 1;
  int64_t count = 0;
};

// Returns the range that start:stop:step takes of a dimension of `size` elements. Requires step != 0, size >= 0.
SliceRange ResolveSlice(int64_t start, int64_t stop, int64_t step, int64_t size);

// Returns how many elements start:stop:step takes as far as it is known. A step that is not exact may have any value
// but 0; an exact step is not 0. Where the size is not exact, bounds from 2^31-1 on mean the end and those below -2^31
// the front, as exporters write them for "all". The size's symbol is kept where the slice is certainly the whole
// dimension.
Dimension SliceDimension(const Dimension& size, const Dimension& start, const Dimension& stop, const Dimension& step);

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_FAMILY_SLICING_H_
