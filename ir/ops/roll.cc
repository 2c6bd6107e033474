// Roll: shifts elements along axes, those that leave at one end coming in at the other.
//
//   output[..., (i + shift) mod size, ...] = data[..., i, ...]
//
// Inputs: data; shift (one integer for all axes, or a list, one per axis); axes (integers; shifts of an axis that is
// named more than once add up). Output: of data's shape.
// Constraints:
//   Roll_c1: shift and axes are integers, a list or one scalar each.
//   Roll_c2: shift has one element, or as many as axes.
//   Roll_c3: the axes lie in [-rank, rank).
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

absl::Status InferRoll(InferContext& context) {
  for (int64_t i = 1; i <= 2; ++i) {
    BURIN_RETURN_IF_ERROR(context.RequireIntegerType("Roll_c1", i));
    BURIN_RETURN_IF_ERROR(context.RequireRankBetween("Roll_c1", i, 0, 1));
  }
  const Dimension shifts = context.input_shape(1).ElementCount();
  const Dimension axes = context.input_shape(2).ElementCount();
  if (!shifts.Contains(1) && !shifts.MayEqual(axes)) {
    return ConstraintError("Roll_c2", absl::StrCat("one shift per axis is needed; shifts ", shifts.ToString(),
                                                   ", axes ", axes.ToString()));
  }
  const PartialShape& data = context.input_shape(0);
  const std::optional<std::vector<int64_t>> named = context.ConstantInts(2);
  if (named.has_value() && data.has_rank()) {
    for (const int64_t axis : *named) BURIN_RETURN_IF_ERROR(WrapAxis("Roll_c3", axis, data.rank()).status());
  }
  context.SetOutput(0, context.input_type(0), data);
  return absl::OkStatus();
}

absl::Status ReferenceRoll(ReferenceContext& context) {
  const Tensor& data = context.input(0);
  const Shape& shape = data.shape();
  if (data.element_count() == 0) return absl::OkStatus();
  const std::vector<int64_t> shifts = context.InputAsInts(1);
  const std::vector<int64_t> axes = context.InputAsInts(2);
  std::vector<int64_t> total(shape.size(), 0);  // In [0, size) for each dimension.
  for (size_t i = 0; i < axes.size(); ++i) {
    BURIN_ASSIGN_OR_RETURN(const int64_t axis, WrapAxis("Roll_c3", axes[i], static_cast<int64_t>(shape.size())));
    const size_t d = static_cast<size_t>(axis);
    const int64_t shift = (shifts.size() == 1 ? shifts[0] : shifts[i]) % shape[d];
    total[d] = (total[d] + shift + shape[d]) % shape[d];
  }
  const std::vector<int64_t> strides = RowMajorStrides(shape);
  std::vector<std::vector<int64_t>> maps(shape.size());
  for (size_t d = 0; d < shape.size(); ++d) {
    for (int64_t o = 0; o < shape[d]; ++o) maps[d].push_back((o - total[d] + shape[d]) % shape[d] * strides[d]);
  }
  return CopyMapped(context, data, maps, Tensor(), context.output(0));
}

}  // namespace

const OpDef& RollOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kRoll, "Roll", "opset7");
    d.min_inputs = 3;
    d.max_inputs = 3;
    d.traits = kMovesData;
    d.infer = &InferRoll;
    d.reference = &ReferenceRoll;
    d.cost = &MovementCost;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
