// Walks index boxes and copies elements of any type between dense buffers: the shared part of the operations that move
// data.
//
// Elements are copied as bits, packed types included, and positions count elements, not bytes. For reference
// evaluation, not for kernels. Stateless functions; a BoxWalker belongs to one thread.
#ifndef BURIN_IR_OPS_FAMILY_INDEX_SPACE_H_
#define BURIN_IR_OPS_FAMILY_INDEX_SPACE_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "base/element_type.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/reference_context.h"
#include "ir/shape.h"
#include "ir/tensor.h"

namespace burin::ir {

// Copies `count` neighbouring elements; the buffers do not overlap. Neighbours of packed elements keep their bits.
void CopyElements(ElementType type, const void* from, int64_t from_begin, void* to, int64_t to_begin, int64_t count);

// Writes `count` copies of element `from_index` of `from`, neighbouring from `to_begin` on.
void FillElements(ElementType type, const void* from, int64_t from_index, void* to, int64_t to_begin, int64_t count);

// A linear map from an index to an element position: offset + sum of index[d] * strides[d].
struct StridedView {
  int64_t offset = 0;
  std::vector<int64_t> strides;  // One per dimension of the box it is used with; may be zero or negative.
};

// Returns the view under which the indices of a dense row-major tensor of that shape reach its elements.
StridedView DenseView(const Shape& shape);

// Visits every index of a box in row-major order, keeping the position under each of several views.
//
//   for (BoxWalker walker(box, {a, b}); !walker.done(); walker.Next()) Use(walker.position(0), walker.position(1));
class BoxWalker {
 public:
  // Each view has as many strides as `box` has dimensions. A box without elements is done at once.
  BoxWalker(Shape box, std::vector<StridedView> views);

  bool done() const { return done_; }
  void Next();
  // Returns the current index; requires !done().
  const Shape& index() const { return index_; }
  int64_t position(size_t view) const { return positions_[view]; }

 private:
  const Shape box_;
  const std::vector<StridedView> views_;
  Shape index_;
  std::vector<int64_t> positions_;
  bool done_;
};

// For every index of `box`: copies the element of `from` under `from_view` to that of `to` under `to_view`. The tensors
// are dense and of one type. Cancelled where the caller has asked for it.
absl::Status CopyBox(const ReferenceContext& context, const Shape& box, const Tensor& from,
                     const StridedView& from_view, const Tensor& to, const StridedView& to_view);

// The mark in a position map for "not in the source".
inline constexpr int64_t kOutside = -1;

// For every index o of `to`: copies the element of `from` at position maps[0][o_0] + maps[1][o_1] + ..., or the one
// element of `fill` where any of them is kOutside. `fill` may be empty where none is. All are dense and of one type.
// Cancelled where the caller has asked for it.
absl::Status CopyMapped(const ReferenceContext& context, const Tensor& from,
                        const std::vector<std::vector<int64_t>>& maps, const Tensor& fill, const Tensor& to);

// Copies all elements of `from` to `to`, two dense tensors of one type and element count.
void CopyAll(const Tensor& from, const Tensor& to);

// A shape seen as [outer, length, inner] around one axis.
struct AxisSplit {
  int64_t outer = 1;   // Product of the dimensions before the axis.
  int64_t length = 1;  // The axis itself.
  int64_t inner = 1;   // Product of the dimensions after it.
};

// Returns the split of `shape` at `axis`, which lies in [0, rank).
AxisSplit SplitAtAxis(const Shape& shape, int64_t axis);

// Returns the product of dimensions [begin, end) of `shape`, 1 for none. It saturates, which only the dimensions of an
// empty tensor can cause: code that loops over such a product asks first whether there are elements at all.
int64_t ProductOf(const Shape& shape, int64_t begin, int64_t end);

// Returns the cost of an operation that reads each element that it writes once, and all inputs but the first in full.
Cost MovementCost(const CostContext& context);

// Returns the cost of an operation that only changes how the same bytes are described: nothing.
Cost ViewCost(const CostContext& context);

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_FAMILY_INDEX_SPACE_H_
