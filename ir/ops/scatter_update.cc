// ScatterUpdate: replaces slices of data along one axis.
//
//   output[..., indices[i_0, ..., i_{q-1}], ...] = updates[..., i_0, ..., i_{q-1}, ...]    else output = data
//
// Inputs: data; indices (integers of any shape); updates (data.shape[:axis] + indices.shape + data.shape[axis+1:]);
// axis (one integer). Output: of data's shape. Of several updates of one slice the last remains; negative indices count
// from the end. Constraints:
//   ScatterUpdate_c1: indices are integers.
//   ScatterUpdate_c2: the axis is one integer in [-rank, rank).
//   ScatterUpdate_c3: updates have data's type and the shape above.
//   ScatterUpdate_c4: each index lies in [-size, size) of the axis.
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/index_space.h"
#include "ir/ops/family/integer_input.h"
#include "ir/ops/family/scatter.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/reference_context.h"

namespace burin::ir {
namespace {

absl::Status InferScatterUpdate(InferContext& context) {
  BURIN_RETURN_IF_ERROR(context.RequireIntegerType("ScatterUpdate_c1", 1));
  BURIN_RETURN_IF_ERROR(context.RequireType("ScatterUpdate_c3", 2, context.input_type(0)));
  BURIN_ASSIGN_OR_RETURN(const std::optional<int64_t> named, ExactIntegerScalar("ScatterUpdate_c2", context, 3));
  const PartialShape& data = context.input_shape(0);
  const PartialShape& indices = context.input_shape(1);
  if (data.has_rank() && named.has_value()) {
    BURIN_ASSIGN_OR_RETURN(const int64_t axis, WrapAxis("ScatterUpdate_c2", *named, data.rank()));
    if (indices.has_rank()) {
      PartialShape expected;
      for (int64_t d = 0; d < axis; ++d) expected.Append(data[d]);
      for (const Dimension& dimension : indices.dims()) expected.Append(dimension);
      for (int64_t d = axis + 1; d < data.rank(); ++d) expected.Append(data[d]);
      if (!context.input_shape(2).MayEqual(expected)) {
        return ConstraintError("ScatterUpdate_c3",
                               absl::StrCat("updates have another shape; expected ", expected.ToString(), ", got ",
                                            context.input_shape(2).ToString()));
      }
    }
  }
  context.SetOutput(0, context.input_type(0), data);
  return absl::OkStatus();
}

absl::Status ReferenceScatterUpdate(ReferenceContext& context) {
  const Tensor& data = context.input(0);
  const Tensor& updates = context.input(2);
  BURIN_ASSIGN_OR_RETURN(const int64_t axis, WrapAxis("ScatterUpdate_c2", context.InputAsInts(3).front(),
                                                      static_cast<int64_t>(data.shape().size())));
  std::vector<int64_t> indices = context.InputAsInts(1);
  const AxisSplit split = SplitAtAxis(data.shape(), axis);
  for (int64_t& index : indices) {
    BURIN_ASSIGN_OR_RETURN(index, WrapIndex("ScatterUpdate_c4", index, split.length));
  }
  std::vector<int64_t> targets;
  if (updates.element_count() > 0) {
    targets.reserve(static_cast<size_t>(updates.element_count()));
    for (int64_t outer = 0; outer < split.outer; ++outer) {
      for (const int64_t index : indices) {
        for (int64_t i = 0; i < split.inner; ++i) {
          targets.push_back((outer * split.length + index) * split.inner + i);
        }
      }
    }
  }
  return ApplyUpdates(context, ScatterReduction::kNone, true, updates, targets);
}

}  // namespace

const OpDef& ScatterUpdateOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kScatterUpdate, "ScatterUpdate", "opset3");
    d.min_inputs = 4;
    d.max_inputs = 4;
    d.infer = &InferScatterUpdate;
    d.reference = &ReferenceScatterUpdate;
    d.cost = [](const CostContext& context) { return ScatterCost(context, 2, ScatterReduction::kNone); };
    return d;
  }();
  return op;
}

}  // namespace burin::ir
