// Concat: joins tensors along one axis.
//
//   output[..., offset_k + i, ...] = input_k[..., i, ...]    offset_k: the sum of the axis sizes of inputs 0 .. k-1
//
// Inputs: one or more tensors. Output: their shape, with the sum of their sizes at `axis`.
// Constraints:
//   Concat_c1: all inputs have one element type.
//   Concat_c2: the axis lies in [-rank, rank), and all ranks are equal.
//   Concat_c3: all dimensions but that at the axis agree.
#include "ir/ops/concat.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/index_space.h"
#include "ir/ops/family/integer_input.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/reference_context.h"

namespace burin::ir {
namespace {

// Joins the contents of rank-1 inputs where that of each is known.
void PropagateJoinedContent(InferContext& context) {
  PartialValue joined;
  for (int64_t i = 0; i < context.input_count(); ++i) {
    const std::optional<PartialValue> content = TravellingContent(context, i);
    if (!content.has_value()) return;
    joined.insert(joined.end(), content->begin(), content->end());
    if (static_cast<int64_t>(joined.size()) > kMaxPropagatedElements) return;
  }
  PropagateContent(context, 0, std::move(joined));
}

absl::Status InferConcat(InferContext& context) {
  BURIN_ASSIGN_OR_RETURN(const ElementType type, context.SameType("Concat_c1", 0, context.input_count() - 1));
  int64_t rank = -1;
  for (int64_t i = 0; i < context.input_count(); ++i) {
    if (!context.input_shape(i).has_rank()) continue;
    if (rank < 0) rank = context.input_shape(i).rank();
    BURIN_RETURN_IF_ERROR(context.RequireRank("Concat_c2", i, rank));
  }
  if (rank < 0) {
    context.SetOutput(0, type, PartialShape::DynamicRank());
    return absl::OkStatus();
  }
  BURIN_ASSIGN_OR_RETURN(const int64_t axis, WrapAxis("Concat_c2", context.attributes<ConcatAttributes>().axis, rank));
  PartialShape output = PartialShape::OfRank(rank);
  Dimension length = 0;
  for (int64_t i = 0; i < context.input_count(); ++i) {
    const PartialShape& shape = context.input_shape(i);
    if (!shape.has_rank()) {
      length = length + Dimension();
      continue;
    }
    length = length + shape[axis];
    for (int64_t d = 0; d < rank; ++d) {
      if (d != axis && !Intersect(shape[d], &output[d])) {
        return ConstraintError("Concat_c3", absl::StrCat("inputs disagree on a dimension; dimension ", d, ", input ", i,
                                                         " of shape ", shape.ToString()));
      }
    }
  }
  output[axis] = length;
  BURIN_RETURN_IF_ERROR(RequireRepresentable("Concat_c3", output));
  context.SetOutput(0, type, output);
  PropagateJoinedContent(context);
  return absl::OkStatus();
}

absl::Status ReferenceConcat(ReferenceContext& context) {
  const Tensor& output = context.output(0);
  BURIN_ASSIGN_OR_RETURN(const int64_t axis, WrapAxis("Concat_c2", context.attributes<ConcatAttributes>().axis,
                                                      static_cast<int64_t>(output.shape().size())));
  StridedView target = DenseView(output.shape());
  for (int64_t i = 0; i < context.input_count(); ++i) {
    const Tensor& input = context.input(i);
    BURIN_RETURN_IF_ERROR(CopyBox(context, input.shape(), input, DenseView(input.shape()), output, target));
    target.offset += target.strides[static_cast<size_t>(axis)] * input.shape()[static_cast<size_t>(axis)];
  }
  return absl::OkStatus();
}

}  // namespace

const OpDef& ConcatOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kConcat, "Concat", "opset1");
    d.max_inputs = -1;
    d.make_attributes = &MakeAttributes<ConcatAttributes>;
    d.infer = &InferConcat;
    d.reference = &ReferenceConcat;
    d.cost = [](const CostContext& context) { return Cost{0, context.OutputBytes(), context.OutputBytes()}; };
    return d;
  }();
  return op;
}

}  // namespace burin::ir
