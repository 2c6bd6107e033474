// GatherElements: takes elements of data, by an index along one axis for each.
//
//   output[i_0, ..., i_{r-1}] = data[i_0, ..., indices[i_0, ..., i_{r-1}], ..., i_{r-1}]    the index at `axis`
//
// Inputs: data; indices (integers of data's rank). Output: of the indices' shape. Negative indices count from the end.
// Constraints:
//   GatherElements_c1: indices are integers, and of data's rank, which is 1 or more.
//   GatherElements_c2: the axis lies in [-rank, rank).
//   GatherElements_c3: no dimension of the indices but that at the axis is larger than data's.
//   GatherElements_c4: each index lies in [-size, size) of the axis.
#include "ir/ops/gather_elements.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/index_space.h"
#include "ir/ops/family/integer_input.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/reference_context.h"

namespace burin::ir {
namespace {

absl::Status InferGatherElements(InferContext& context) {
  BURIN_RETURN_IF_ERROR(context.RequireIntegerType("GatherElements_c1", 1));
  BURIN_RETURN_IF_ERROR(context.RequireRankBetween("GatherElements_c1", 0, 1, kMaxRank));
  const PartialShape& data = context.input_shape(0);
  const PartialShape& indices = context.input_shape(1);
  PartialShape output = indices;
  if (data.has_rank()) {
    BURIN_RETURN_IF_ERROR(context.RequireRank("GatherElements_c1", 1, data.rank()));
    if (!output.has_rank()) output = PartialShape::OfRank(data.rank());
  }
  if (output.has_rank()) {
    BURIN_ASSIGN_OR_RETURN(
        const int64_t axis,
        WrapAxis("GatherElements_c2", context.attributes<GatherElementsAttributes>().axis, output.rank()));
    for (int64_t d = 0; data.has_rank() && d < output.rank(); ++d) {
      if (d != axis && output[d].min() > data[d].max()) {
        return ConstraintError("GatherElements_c3", absl::StrCat("indices are larger than data; data ", data.ToString(),
                                                                 ", indices ", indices.ToString()));
      }
    }
  }
  context.SetOutput(0, context.input_type(0), output);
  return absl::OkStatus();
}

absl::Status ReferenceGatherElements(ReferenceContext& context) {
  const Tensor& data = context.input(0);
  const Tensor& output = context.output(0);
  const Shape& shape = output.shape();
  BURIN_ASSIGN_OR_RETURN(const int64_t axis,
                         WrapAxis("GatherElements_c2", context.attributes<GatherElementsAttributes>().axis,
                                  static_cast<int64_t>(shape.size())));
  const std::vector<int64_t> indices = context.InputAsInts(1);
  StridedView source = DenseView(data.shape());
  const int64_t axis_stride = source.strides[static_cast<size_t>(axis)];
  source.strides[static_cast<size_t>(axis)] = 0;
  int64_t i = 0;
  for (BoxWalker walker(shape, {source}); !walker.done(); walker.Next(), ++i) {
    BURIN_ASSIGN_OR_RETURN(const int64_t index, WrapIndex("GatherElements_c4", indices[static_cast<size_t>(i)],
                                                          data.shape()[static_cast<size_t>(axis)]));
    CopyElements(data.element_type(), data.data(), walker.position(0) + index * axis_stride, output.mutable_data(), i,
                 1);
  }
  return absl::OkStatus();
}

}  // namespace

const OpDef& GatherElementsOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kGatherElements, "GatherElements", "opset6");
    d.min_inputs = 2;
    d.max_inputs = 2;
    d.traits = kMovesData;
    d.make_attributes = &MakeAttributes<GatherElementsAttributes>;
    d.infer = &InferGatherElements;
    d.reference = &ReferenceGatherElements;
    d.cost = &MovementCost;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
