// Split: cuts a tensor into equal parts along one axis.
//
//   output_k[..., i, ...] = data[..., k * n + i, ...]    n = data.shape[axis] / num_splits
//
// Inputs: data; axis (one integer). Outputs: `num_splits` tensors of data's shape with n at the axis.
// Constraints:
//   Split_c1: the axis is one integer in [-rank, rank).
//   Split_c2: num_splits is positive.
//   Split_c3: num_splits divides the dimension at the axis.
#include "ir/ops/split.h"

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/axis_pieces.h"
#include "ir/ops/family/index_space.h"
#include "ir/ops/family/integer_input.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/reference_context.h"

namespace burin::ir {
namespace {

// Returns the shape of each part of `data`. Without a known axis any dimension may be the shortened one.
absl::StatusOr<PartialShape> PartShape(const PartialShape& data, std::optional<int64_t> axis, int64_t parts) {
  if (!data.has_rank() || parts == 1) return data;
  PartialShape shape = data;
  if (!axis.has_value()) {
    for (int64_t d = 0; d < shape.rank(); ++d) shape[d] = Dimension(data[d].min() / parts, data[d].max());
    return shape;
  }
  BURIN_ASSIGN_OR_RETURN(const int64_t at, WrapAxis("Split_c1", *axis, data.rank()));
  if (data[at].is_static()) {
    if (data[at].value() % parts != 0) {
      return ConstraintError("Split_c3", absl::StrCat("num_splits must divide the dimension; num_splits ", parts,
                                                      ", dimension ", data[at].value()));
    }
    shape[at] = data[at].value() / parts;
  } else {
    const Dimension rounded_up = CeilDiv(data[at], parts);
    const Dimension rounded_down = FloorDiv(data[at], parts);
    if (rounded_up.min() > rounded_down.max()) {
      return ConstraintError("Split_c3", absl::StrCat("num_splits must divide the dimension; num_splits ", parts,
                                                      ", dimension ", data[at].ToString()));
    }
    shape[at] = Dimension(rounded_up.min(), rounded_down.max());
  }
  return shape;
}

absl::Status InferSplit(InferContext& context) {
  BURIN_ASSIGN_OR_RETURN(const std::optional<int64_t> axis, ExactIntegerScalar("Split_c1", context, 1));
  BURIN_RETURN_IF_ERROR(context.RequireRankBetween("Split_c1", 0, 1, kMaxRank));
  const int64_t parts = context.attributes<SplitAttributes>().num_splits;
  if (parts < 1) return ConstraintError("Split_c2", absl::StrCat("num_splits must be positive; got ", parts));
  if (parts > kMaxPieces) {
    return absl::UnimplementedError(
        absl::StrCat("Split into more parts than supported; at most ", kMaxPieces, ", got ", parts));
  }
  BURIN_ASSIGN_OR_RETURN(const PartialShape shape, PartShape(context.input_shape(0), axis, parts));
  context.SetOutputCount(parts);
  for (int64_t i = 0; i < parts; ++i) context.SetOutput(i, context.input_type(0), shape);
  PropagatePieces(context);
  return absl::OkStatus();
}

absl::Status ReferenceSplit(ReferenceContext& context) {
  BURIN_ASSIGN_OR_RETURN(const int64_t axis, WrapAxis("Split_c1", context.InputAsInts(1).front(),
                                                      static_cast<int64_t>(context.input(0).shape().size())));
  return CopyPieces(context, axis);
}

}  // namespace

const OpDef& SplitOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kSplit, "Split", "opset1");
    d.min_inputs = 2;
    d.max_inputs = 2;
    d.outputs = -1;
    d.traits = kMovesData;
    d.make_attributes = &MakeAttributes<SplitAttributes>;
    d.infer = &InferSplit;
    d.reference = &ReferenceSplit;
    d.cost = &MovementCost;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
