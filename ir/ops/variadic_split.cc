// VariadicSplit: cuts a tensor into parts of given lengths along one axis.
//
//   output_k[..., i, ...] = data[..., length_0 + ... + length_{k-1} + i, ...]
//
// Inputs: data; axis (one integer); lengths (a list, one per output, of which one may be -1: what remains).
// Outputs: one tensor per length, of data's shape with that length at the axis.
// Constraints:
//   VariadicSplit_c1: the axis is one integer in [-rank, rank).
//   VariadicSplit_c2: lengths is a list of non-negative integers, but for at most one -1.
//   VariadicSplit_c3: the lengths add up to the dimension at the axis.
// A list of lengths whose size is not known is refused as not supported: a node has a fixed number of outputs.
#include <optional>
#include <utility>
#include <vector>

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

// Returns each part's length, `whole` being the dimension that is cut.
absl::StatusOr<std::vector<Dimension>> PartLengths(const PartialValue& lengths, const Dimension& whole) {
  Dimension sum = 0;
  int64_t rest = -1;
  std::vector<Dimension> parts;
  bool certain = true;  // No unknown length can turn out to be the -1.
  for (size_t i = 0; i < lengths.size(); ++i) {
    const Dimension& length = lengths[i];
    if (length == Dimension(-1)) {
      if (rest >= 0) return ConstraintError("VariadicSplit_c2", "more than one length is -1");
      rest = static_cast<int64_t>(i);
      parts.push_back(Dimension());
      continue;
    }
    if (length.max() < 0) {
      return ConstraintError("VariadicSplit_c2", absl::StrCat("negative length; got ", length.ToString()));
    }
    certain = certain && length.min() >= 0;
    BURIN_ASSIGN_OR_RETURN(Dimension part, ToDimension("VariadicSplit_c2", length));
    if (length.min() < 0) part = Dimension(0, Dimension::kInfinite);
    sum = sum + part;
    parts.push_back(std::move(part));
  }
  if (!certain) return parts;
  // A sum that no int64_t holds comes out as any value, negative ones included.
  const bool fits = sum.min() >= 0 && (rest >= 0 ? sum.min() <= whole.max() : sum.MayEqual(whole));
  if (!fits) {
    return ConstraintError("VariadicSplit_c3", absl::StrCat("lengths do not add up to the dimension; sum ",
                                                            sum.ToString(), ", dimension ", whole.ToString()));
  }
  if (rest >= 0) {
    const Dimension remaining = whole - sum;
    parts[static_cast<size_t>(rest)] =
        Dimension(remaining.min() < 0 ? 0 : remaining.min(), remaining.max(), remaining.symbol());
  } else if (parts.size() == 1) {
    Intersect(whole, &parts[0]);
  }
  return parts;
}

// Sets the outputs where nothing is known of the lengths: only the rank, and the dimensions away from the axis.
void SetUnknownParts(InferContext& context, const PartialShape& data, std::optional<int64_t> axis) {
  PartialShape shape = data;
  if (data.has_rank()) {
    for (int64_t d = 0; d < data.rank(); ++d) {
      if (!axis.has_value() || *axis == d) shape[d] = Dimension(0, data[d].max());
    }
  }
  for (int64_t i = 0; i < context.output_count(); ++i) context.SetOutput(i, context.input_type(0), shape);
}

absl::Status InferVariadicSplit(InferContext& context) {
  BURIN_ASSIGN_OR_RETURN(std::optional<int64_t> axis, ExactIntegerScalar("VariadicSplit_c1", context, 1));
  BURIN_RETURN_IF_ERROR(context.RequireRankBetween("VariadicSplit_c1", 0, 1, kMaxRank));
  BURIN_ASSIGN_OR_RETURN(const std::optional<PartialValue> lengths, IntegerList("VariadicSplit_c2", context, 2));
  const PartialShape& data = context.input_shape(0);
  if (axis.has_value() && data.has_rank()) {
    BURIN_ASSIGN_OR_RETURN(axis, WrapAxis("VariadicSplit_c1", *axis, data.rank()));
  }
  const Dimension count = context.input_shape(2).ElementCount();
  if (count.min() > kMaxPieces) {
    return absl::UnimplementedError(
        absl::StrCat("VariadicSplit into more parts than supported; at most ", kMaxPieces, ", got ", count.min()));
  }
  if (count.is_dynamic()) {
    return absl::UnimplementedError(absl::StrCat("VariadicSplit into a number of parts that is not known; lengths: ",
                                                 context.input_shape(2).ToString()));
  }
  context.SetOutputCount(count.value());
  if (!lengths.has_value() || !axis.has_value() || !data.has_rank()) {
    SetUnknownParts(context, data, axis);
    return absl::OkStatus();
  }
  BURIN_ASSIGN_OR_RETURN(const std::vector<Dimension> parts, PartLengths(*lengths, data[*axis]));
  for (size_t i = 0; i < parts.size(); ++i) {
    PartialShape shape = data;
    shape[*axis] = parts[i];
    context.SetOutput(static_cast<int64_t>(i), context.input_type(0), std::move(shape));
  }
  PropagatePieces(context);
  return absl::OkStatus();
}

absl::Status ReferenceVariadicSplit(ReferenceContext& context) {
  BURIN_ASSIGN_OR_RETURN(const int64_t axis, WrapAxis("VariadicSplit_c1", context.InputAsInts(1).front(),
                                                      static_cast<int64_t>(context.input(0).shape().size())));
  return CopyPieces(context, axis);
}

}  // namespace

const OpDef& VariadicSplitOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kVariadicSplit, "VariadicSplit", "opset1");
    d.min_inputs = 3;
    d.max_inputs = 3;
    d.outputs = -1;
    d.traits = kMovesData;
    d.infer = &InferVariadicSplit;
    d.reference = &ReferenceVariadicSplit;
    d.cost = &MovementCost;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
