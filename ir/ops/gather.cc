// Gather: takes slices of data along one axis, by index.
//
//   output[p_0 .. p_{axis-1}, i_b .. i_{M-1}, p_{axis+1} ..] =
//       data[p_0 .. p_{axis-1}, indices[p_0 .. p_{b-1}, i_b .. i_{M-1}], p_{axis+1} ..]        b: batch_dims
//
// Inputs: data; indices (integers of any shape); axis (one integer).
// Output: data.shape[:axis] + indices.shape[b:] + data.shape[axis+1:].
// A negative index counts from the end; one outside [-size, size) gives zeros.
// Constraints:
//   Gather_c1: indices are integers.
//   Gather_c2: the axis is one integer in [-rank, rank) of data.
//   Gather_c3: batch_dims (after counting from the end) lies in [0, indices' rank] and is at most the axis.
//   Gather_c4: the first batch_dims dimensions of data and indices are equal.
#include "ir/ops/gather.h"

#include <optional>
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

// Returns batch_dims in [0, indices_rank].
absl::StatusOr<int64_t> BatchDims(int64_t batch_dims, int64_t indices_rank) {
  const int64_t wrapped = batch_dims < 0 && batch_dims >= -indices_rank ? batch_dims + indices_rank : batch_dims;
  if (wrapped < 0 || wrapped > indices_rank) {
    return ConstraintError("Gather_c3", absl::StrCat("batch_dims outside the indices' rank; rank ", indices_rank,
                                                     ", batch_dims ", batch_dims));
  }
  return wrapped;
}

absl::StatusOr<PartialShape> OutputShape(const PartialShape& data, const PartialShape& indices, int64_t axis,
                                         int64_t batch_dims) {
  if (batch_dims > axis) {
    return ConstraintError("Gather_c3",
                           absl::StrCat("batch_dims is above the axis; axis ", axis, ", batch_dims ", batch_dims));
  }
  PartialShape output;
  for (int64_t d = 0; d < axis; ++d) {
    Dimension dimension = data[d];
    if (d < batch_dims && !Intersect(indices[d], &dimension)) {
      return ConstraintError("Gather_c4", absl::StrCat("batch dimensions differ; data ", data.ToString(), ", indices ",
                                                       indices.ToString()));
    }
    output.Append(std::move(dimension));
  }
  for (int64_t d = batch_dims; d < indices.rank(); ++d) output.Append(indices[d]);
  for (int64_t d = axis + 1; d < data.rank(); ++d) output.Append(data[d]);
  BURIN_RETURN_IF_ERROR(RequireRepresentable("Gather_c1", output));
  return output;
}

// Hands the elements of a list on where the indices are exact.
void PropagateGather(InferContext& context) {
  const std::optional<PartialValue> content = TravellingContent(context, 0);
  const std::optional<std::vector<int64_t>> indices = context.ConstantInts(1);
  if (!content.has_value() || !indices.has_value()) return;
  if (static_cast<int64_t>(indices->size()) > kMaxPropagatedElements) return;
  const int64_t size = static_cast<int64_t>(content->size());
  PartialValue taken;
  for (const int64_t index : *indices) {
    const bool inside = index >= -size && index < size;
    taken.push_back(inside ? (*content)[static_cast<size_t>(index < 0 ? index + size : index)] : Dimension(0));
  }
  PropagateContent(context, 0, std::move(taken));
}

absl::Status InferGather(InferContext& context) {
  BURIN_RETURN_IF_ERROR(context.RequireIntegerType("Gather_c1", 1));
  BURIN_ASSIGN_OR_RETURN(std::optional<int64_t> axis, ExactIntegerScalar("Gather_c2", context, 2));
  const PartialShape& data = context.input_shape(0);
  const PartialShape& indices = context.input_shape(1);
  if (data.has_rank()) {
    BURIN_RETURN_IF_ERROR(context.RequireRankBetween("Gather_c2", 0, 1, kMaxRank));
    if (axis.has_value()) {
      BURIN_ASSIGN_OR_RETURN(axis, WrapAxis("Gather_c2", *axis, data.rank()));
    } else if (data.rank() == 1) {
      axis = 0;
    }
  }
  PartialShape output = PartialShape::DynamicRank();
  if (data.has_rank() && indices.has_rank()) {
    BURIN_ASSIGN_OR_RETURN(const int64_t batch_dims,
                           BatchDims(context.attributes<GatherAttributes>().batch_dims, indices.rank()));
    if (axis.has_value()) {
      BURIN_ASSIGN_OR_RETURN(output, OutputShape(data, indices, *axis, batch_dims));
    } else {
      if (batch_dims >= data.rank()) return ConstraintError("Gather_c3", "batch_dims is above any axis");
      output = PartialShape::OfRank(data.rank() - 1 + indices.rank() - batch_dims);
      BURIN_RETURN_IF_ERROR(RequireRepresentable("Gather_c1", output));
    }
  }
  context.SetOutput(0, context.input_type(0), std::move(output));
  if (context.output(0).shape.has_rank() && data.has_rank() && data.rank() == 1) PropagateGather(context);
  return absl::OkStatus();
}

absl::Status ReferenceGather(ReferenceContext& context) {
  const Tensor& data = context.input(0);
  const Tensor& output = context.output(0);
  if (output.element_count() == 0) return absl::OkStatus();
  const Shape& shape = data.shape();
  const Shape& indices_shape = context.input(1).shape();
  const int64_t indices_rank = static_cast<int64_t>(indices_shape.size());
  BURIN_ASSIGN_OR_RETURN(const int64_t axis,
                         WrapAxis("Gather_c2", context.InputAsInts(2).front(), static_cast<int64_t>(shape.size())));
  BURIN_ASSIGN_OR_RETURN(const int64_t batch_dims,
                         BatchDims(context.attributes<GatherAttributes>().batch_dims, indices_rank));
  const std::vector<int64_t> indices = context.InputAsInts(1);
  const int64_t batches = ProductOf(shape, 0, batch_dims);
  const int64_t outer = ProductOf(shape, batch_dims, axis);
  const int64_t per_batch = ProductOf(indices_shape, batch_dims, indices_rank);
  const AxisSplit split = SplitAtAxis(shape, axis);
  BURIN_ASSIGN_OR_RETURN(const Tensor zero, Tensor::CreateZeroed(data.element_type(), {1}));
  int64_t target = 0;
  for (int64_t row = 0; row < batches * outer; ++row) {
    BURIN_RETURN_IF_ERROR(context.CheckCancelled());
    const int64_t first = row / outer * per_batch;
    for (int64_t i = first; i < first + per_batch; ++i, target += split.inner) {
      int64_t index = indices[static_cast<size_t>(i)];
      if (index < 0) index += split.length;
      if (index < 0 || index >= split.length) {
        FillElements(data.element_type(), zero.data(), 0, output.mutable_data(), target, split.inner);
      } else {
        CopyElements(data.element_type(), data.data(), (row * split.length + index) * split.inner,
                     output.mutable_data(), target, split.inner);
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace

const OpDef& GatherOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kGather, "Gather", "opset8");
    d.min_inputs = 3;
    d.max_inputs = 3;
    d.make_attributes = &MakeAttributes<GatherAttributes>;
    d.infer = &InferGather;
    d.reference = &ReferenceGather;
    d.cost = &MovementCost;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
