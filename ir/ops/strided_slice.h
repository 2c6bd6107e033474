// The attributes of StridedSlice, and where the elements that it takes lie. Value type; thread-compatible.
#ifndef BURIN_IR_OPS_STRIDED_SLICE_H_
#define BURIN_IR_OPS_STRIDED_SLICE_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/attributes.h"
#include "ir/ops/family/index_space.h"
#include "ir/shape.h"

namespace burin::ir {

// Each mask has a 0 or 1 per slicing step; what a mask lacks at its end is 0, what it has too much is ignored.
struct StridedSliceAttributes final : AttributesOf<StridedSliceAttributes> {
  using AttributesOf::VisitAttributes;
  std::vector<int64_t> begin_mask;        // 1: begin is ignored, the slice starts at the dimension's front.
  std::vector<int64_t> end_mask;          // 1: end is ignored, the slice goes on to the dimension's end.
  std::vector<int64_t> new_axis_mask;     // 1: the step inserts a dimension of size 1.
  std::vector<int64_t> shrink_axis_mask;  // 1: the step takes the one element at begin and removes the dimension.
  std::vector<int64_t> ellipsis_mask;     // 1: the step stands for all dimensions that no other step covers.

  void VisitAttributes(AttributeVisitor& visitor) override {
    visitor.Visit("begin_mask", begin_mask);
    visitor.Visit("end_mask", end_mask);
    visitor.Visit("new_axis_mask", new_axis_mask);
    visitor.Visit("shrink_axis_mask", shrink_axis_mask);
    visitor.Visit("ellipsis_mask", ellipsis_mask);
  }
};

// Returns the view under which the output's indices reach the elements of data, of shape `shape`, that are taken. The
// lists, of one length, are the inputs of that name; no stride is 0. InvalidArgument as StridedSlice_c3 and
// StridedSlice_c4 say.
absl::StatusOr<StridedView> StridedSliceView(const StridedSliceAttributes& attributes, const Shape& shape,
                                             const std::vector<int64_t>& begin, const std::vector<int64_t>& end,
                                             const std::vector<int64_t>& stride);

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_STRIDED_SLICE_H_
