// Describes movement of elements between two strided layouts, and brings such a description to its simplest form.
//
// Use it to say what a CopyPlan (jit/kernels/copy.h) moves, and inside it. Transposes, broadcasts, slices, reversals
// and the parts of concatenations and splits are all of this form: a list of dimensions with one stride for each side,
// from base addresses that the caller offsets. Not for conversions of element types. Values and pure functions, hence
// thread-safe.
#ifndef BURIN_JIT_KERNELS_COPY_LAYOUT_H_
#define BURIN_JIT_KERNELS_COPY_LAYOUT_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"

namespace burin::jit {

// Is one dimension of the index space: a step along it moves by these many bytes on either side.
struct CopyDim {
  int64_t extent = 1;
  // 0 repeats the source (broadcast); negative strides walk backwards.
  int64_t source_stride = 0;
  int64_t destination_stride = 0;

  friend bool operator==(const CopyDim& a, const CopyDim& b) {
    return a.extent == b.extent && a.source_stride == b.source_stride && a.destination_stride == b.destination_stride;
  }
};

// Says what is moved: for each index of `dims`, in any order, one element from source + sum(index * source_stride) to
// destination + sum(index * destination_stride).
struct StridedCopySpec {
  // Bytes of an element: 1, 2, 4 or 8.
  int element_bytes = 1;
  // Of any number; none means one element.
  std::vector<CopyDim> dims;
};

// Holds the simplest form: no extents of 1, destination strides positive and ascending (strictly, where the elements of
// the destination are distinct), no two neighbours that could be one dimension.
struct CopyLayout {
  // Bytes of what is moved as one: 1, 2, 4, 8 or 16. Greater than an element where whole groups of elements stay
  // together.
  int unit_bytes = 1;
  // The innermost dimension of the destination first.
  std::vector<CopyDim> dims;
  // Of the first unit, relative to the addresses of the spec.
  int64_t source_offset = 0;
  int64_t destination_offset = 0;
  // What is written; 0 where an extent is 0, and then there are no dims.
  int64_t bytes = 0;

  // Simplifies `spec`. InvalidArgument for another element size, a negative extent, a destination stride of 0 along an
  // extent above 1, and sizes or distances beyond 62 bits, naming the dimension.
  static absl::StatusOr<CopyLayout> From(const StridedCopySpec& spec);
};

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_COPY_LAYOUT_H_
