// Says where in the memory of a Parameter or Constant each element of a value lies.
//
// Use it for values that a kernel reads without computing anything: what Transpose, Reshape, Squeeze, Unsqueeze, Slice,
// Split and VariadicSplit make of an input is the same memory with other strides and another first element. Stateless,
// thread-safe.
#ifndef BURIN_SNIPPETS_LOWERING_MEMORY_VIEW_H_
#define BURIN_SNIPPETS_LOWERING_MEMORY_VIEW_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "ir/model.h"
#include "ir/partial_shape.h"
#include "ir/shape.h"

namespace burin::snippets {

// Is a body whose shapes may be dynamic, and the same body for certain sizes: its clone, reshaped. What a kernel's code
// is made from comes from the first wherever the two say it.
struct SizedBody {
  const ir::Model& declared;
  const ir::Model& sized;
};

// Is one dimension of a view.
struct ViewDim {
  // Whether its extent is 1 in every run.
  bool is_one = false;
  int64_t extent = 1;
  // In bytes.
  int64_t stride = 0;
  // Orders the dimensions as they lie in memory: the higher, the further inside.
  int position = 0;
  // Whether, whatever the sizes are, the stride is that of the next dimension inside, other than ones, times its
  // extent; of the innermost: the size of an element.
  bool packed = true;
  // How many elements the stride is where it is as many in every run, else 0.
  int64_t step = 0;
};

// Is a view of memory.
struct MemoryView {
  // The Parameter or Constant.
  ir::NodeId source = ir::NodeId::kNone;
  ElementType type = ElementType::kUndefined;
  // Of the first element, in bytes.
  int64_t offset = 0;
  std::vector<ViewDim> dims;
};

// Returns the dimensions of dense memory.
std::vector<ViewDim> DenseDims(const ir::PartialShape& declared, const ir::Shape& sized, ElementType type);

// Makes of dimension `axis` `extent` neighbouring elements of it, wherever they begin; `is_one`: 1 in every run.
void TakePiece(std::vector<ViewDim>& dims, size_t axis, int64_t extent, bool is_one);

// Returns the value as a view, or nullopt where something is computed or it is no view of one input. InvalidArgument
// where a shape of body.sized is not static.
absl::StatusOr<std::optional<MemoryView>> ViewOf(const SizedBody& body, ir::Value value);

// Returns the static shape of a value. InvalidArgument, naming it, where it has none.
absl::StatusOr<ir::Shape> SizedShape(const SizedBody& body, ir::Value value);

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_LOWERING_MEMORY_VIEW_H_
