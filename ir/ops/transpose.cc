// Transpose: permutes the dimensions of a tensor.
//
//   output[i_{order[0]}, ..., i_{order[r-1]}] = data[i_0, ..., i_{r-1}]
//
// Inputs: data; order (a list of integers; empty: the dimensions reversed). Output: shape[d] = data.shape[order[d]].
// Constraints:
//   Transpose_c1: order is a list of integers.
//   Transpose_c2: order is empty or a permutation of 0 .. rank-1.
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
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

// Returns the permutation that `order` spells out for `rank` dimensions.
absl::StatusOr<std::vector<int64_t>> Permutation(std::vector<int64_t> order, int64_t rank) {
  if (order.empty()) {
    for (int64_t d = rank; d-- > 0;) order.push_back(d);
    return order;
  }
  std::vector<bool> seen(static_cast<size_t>(rank), false);
  bool valid = static_cast<int64_t>(order.size()) == rank;
  for (const int64_t d : order) {
    valid = valid && d >= 0 && d < rank && !seen[static_cast<size_t>(d)];
    if (valid) seen[static_cast<size_t>(d)] = true;
  }
  if (!valid) {
    return ConstraintError("Transpose_c2", absl::StrCat("order is not a permutation of the dimensions; rank ", rank,
                                                        ", order {", absl::StrJoin(order, ","), "}"));
  }
  return order;
}

absl::Status InferTranspose(InferContext& context) {
  BURIN_RETURN_IF_ERROR(context.RequireRank("Transpose_c1", 1, 1));
  BURIN_ASSIGN_OR_RETURN(std::optional<std::vector<int64_t>> order, ExactIntegerList("Transpose_c1", context, 1));
  const PartialShape& data = context.input_shape(0);
  if (!order.has_value() || !data.has_rank()) {
    // A non-empty order has as many elements as the data has dimensions.
    PartialShape output = data.has_rank() ? PartialShape::OfRank(data.rank()) : PartialShape::DynamicRank();
    if (order.has_value() && !order->empty()) output = PartialShape::OfRank(static_cast<int64_t>(order->size()));
    BURIN_RETURN_IF_ERROR(RequireRepresentable("Transpose_c2", output));
    context.SetOutput(0, context.input_type(0), output);
    return absl::OkStatus();
  }
  BURIN_ASSIGN_OR_RETURN(const std::vector<int64_t> permutation, Permutation(*std::move(order), data.rank()));
  PartialShape output;
  for (const int64_t d : permutation) output.Append(data[d]);
  context.SetOutput(0, context.input_type(0), std::move(output));
  if (std::optional<PartialValue> content = TravellingContent(context, 0); content.has_value()) {
    PropagateContent(context, 0, *std::move(content));
  }
  return absl::OkStatus();
}

absl::Status ReferenceTranspose(ReferenceContext& context) {
  const Tensor& data = context.input(0);
  const Tensor& output = context.output(0);
  BURIN_ASSIGN_OR_RETURN(const std::vector<int64_t> permutation,
                         Permutation(context.InputAsInts(1), static_cast<int64_t>(data.shape().size())));
  const std::vector<int64_t> strides = RowMajorStrides(data.shape());
  StridedView source;
  for (const int64_t d : permutation) source.strides.push_back(strides[static_cast<size_t>(d)]);
  return CopyBox(context, output.shape(), data, source, output, DenseView(output.shape()));
}

}  // namespace

const OpDef& TransposeOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kTranspose, "Transpose", "opset1");
    d.min_inputs = 2;
    d.max_inputs = 2;
    d.traits = kMovesData;
    d.infer = &InferTranspose;
    d.reference = &ReferenceTranspose;
    d.cost = &MovementCost;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
