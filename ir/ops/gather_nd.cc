// GatherND: takes slices of data, each by a tuple of indices.
//
//   output[p, i, ...] = data[p, indices[p, i, 0], ..., indices[p, i, n-1], ...]    p: batch_dims indices; n below
//
// Inputs: data; indices (integers), whose last dimension n is the length of the tuples.
// Output: batch dimensions + indices.shape[batch_dims:-1] + data.shape[batch_dims + n:]. A batch dimension that is 1 in
// data or in the indices stretches to the other's. Negative indices count from the end.
// Constraints:
//   GatherND_c1: indices are integers; data and indices have 1 dimension or more.
//   GatherND_c2: batch_dims lies in [0, min(data's rank, indices' rank)).
//   GatherND_c3: the batch dimensions broadcast to each other.
//   GatherND_c4: n is at most data's rank - batch_dims.
//   GatherND_c5: each index lies in [-size, size) of its dimension.
#include "ir/ops/gather_nd.h"

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

absl::StatusOr<PartialShape> OutputShape(const PartialShape& data, const PartialShape& indices, int64_t batch_dims) {
  if (batch_dims >= data.rank() || batch_dims >= indices.rank()) {
    return ConstraintError("GatherND_c2", absl::StrCat("batch_dims outside the ranks; data ", data.ToString(),
                                                       ", indices ", indices.ToString(), ", batch_dims ", batch_dims));
  }
  const Dimension& tuple = indices[indices.rank() - 1];
  if (tuple.min() > data.rank() - batch_dims) {
    return ConstraintError("GatherND_c4", absl::StrCat("index tuples are too long; data ", data.ToString(),
                                                       ", indices ", indices.ToString()));
  }
  PartialShape output;
  for (int64_t d = 0; d < batch_dims; ++d) {
    Dimension batch;
    if (!BroadcastDimension(data[d], indices[d], &batch)) {
      return ConstraintError("GatherND_c3", absl::StrCat("batch dimensions differ; data ", data.ToString(),
                                                         ", indices ", indices.ToString()));
    }
    output.Append(std::move(batch));
  }
  if (!tuple.is_static()) return PartialShape::DynamicRank();
  for (int64_t d = batch_dims; d < indices.rank() - 1; ++d) output.Append(indices[d]);
  for (int64_t d = batch_dims + tuple.value(); d < data.rank(); ++d) output.Append(data[d]);
  BURIN_RETURN_IF_ERROR(RequireRepresentable("GatherND_c1", output));
  return output;
}

absl::Status InferGatherND(InferContext& context) {
  const int64_t batch_dims = context.attributes<GatherNDAttributes>().batch_dims;
  BURIN_RETURN_IF_ERROR(context.RequireIntegerType("GatherND_c1", 1));
  for (int64_t i = 0; i < 2; ++i) {
    BURIN_RETURN_IF_ERROR(context.RequireRankBetween("GatherND_c1", i, 1, kMaxRank));
  }
  if (batch_dims < 0) {
    return ConstraintError("GatherND_c2", absl::StrCat("batch_dims must not be negative; got ", batch_dims));
  }
  PartialShape output = PartialShape::DynamicRank();
  if (context.input_shape(0).has_rank() && context.input_shape(1).has_rank()) {
    BURIN_ASSIGN_OR_RETURN(output, OutputShape(context.input_shape(0), context.input_shape(1), batch_dims));
  }
  context.SetOutput(0, context.input_type(0), std::move(output));
  return absl::OkStatus();
}

absl::Status ReferenceGatherND(ReferenceContext& context) {
  const Tensor& data = context.input(0);
  const Tensor& output = context.output(0);
  if (output.element_count() == 0) return absl::OkStatus();
  const size_t batch_dims = static_cast<size_t>(context.attributes<GatherNDAttributes>().batch_dims);
  const Shape& indices_shape = context.input(1).shape();
  const std::vector<int64_t> indices = context.InputAsInts(1);
  const size_t tuple = static_cast<size_t>(indices_shape.back());
  // The box has one index per tuple: the output's batch dimensions, then those of the indices but their last.
  Shape box(output.shape().begin(), output.shape().begin() + static_cast<std::ptrdiff_t>(batch_dims));
  box.insert(box.end(), indices_shape.begin() + static_cast<std::ptrdiff_t>(batch_dims), indices_shape.end() - 1);
  const std::vector<int64_t> data_strides = RowMajorStrides(data.shape());
  StridedView tuples = DenseView(indices_shape);
  tuples.strides.pop_back();
  StridedView batches;
  batches.strides.assign(box.size(), 0);
  for (size_t d = 0; d < batch_dims; ++d) {
    if (data.shape()[d] != 1) batches.strides[d] = data_strides[d];
    if (indices_shape[d] == 1) tuples.strides[d] = 0;
  }
  const int64_t slice =
      ProductOf(data.shape(), static_cast<int64_t>(batch_dims + tuple), static_cast<int64_t>(data.shape().size()));
  int64_t target = 0;
  for (BoxWalker walker(box, {batches, tuples}); !walker.done(); walker.Next(), target += slice) {
    int64_t position = walker.position(0);
    for (size_t k = 0; k < tuple; ++k) {
      BURIN_ASSIGN_OR_RETURN(
          const int64_t index,
          WrapIndex("GatherND_c5", indices[static_cast<size_t>(walker.position(1)) + k], data.shape()[batch_dims + k]));
      position += index * data_strides[batch_dims + k];
    }
    CopyElements(data.element_type(), data.data(), position, output.mutable_data(), target, slice);
  }
  return absl::OkStatus();
}

}  // namespace

const OpDef& GatherNDOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kGatherND, "GatherND", "opset8");
    d.min_inputs = 2;
    d.max_inputs = 2;
    d.traits = kMovesData;
    d.make_attributes = &MakeAttributes<GatherNDAttributes>;
    d.infer = &InferGatherND;
    d.reference = &ReferenceGatherND;
    d.cost = &MovementCost;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
