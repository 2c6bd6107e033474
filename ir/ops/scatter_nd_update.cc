// ScatterNDUpdate: updates slices of data, each found by a tuple of indices.
//
//   output[indices[i, 0], ..., indices[i, n-1], ...] (reduction)= updates[i, ...]    n: indices' last dimension
//
// Inputs: data; indices (integers); updates (indices.shape[:-1] + data.shape[n:]; where that is a scalar, one element
// of any shape). Output: of data's shape. Negative indices count from the end. Constraints:
//   ScatterNDUpdate_c1: indices are integers; data and indices have 1 dimension or more.
//   ScatterNDUpdate_c2: n is at most data's rank.
//   ScatterNDUpdate_c3: updates have data's type and the shape above.
//   ScatterNDUpdate_c4: the reduction is not mean.
//   ScatterNDUpdate_c5: each index lies in [-size, size) of its dimension.
#include "ir/ops/scatter_nd_update.h"

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

absl::Status CheckUpdates(const PartialShape& data, const PartialShape& indices, const PartialShape& updates) {
  const Dimension& tuple = indices[indices.rank() - 1];
  if (tuple.min() > data.rank()) {
    return ConstraintError("ScatterNDUpdate_c2", absl::StrCat("index tuples are too long; data ", data.ToString(),
                                                              ", indices ", indices.ToString()));
  }
  if (!tuple.is_static()) return absl::OkStatus();
  PartialShape expected;
  for (int64_t d = 0; d + 1 < indices.rank(); ++d) expected.Append(indices[d]);
  for (int64_t d = tuple.value(); d < data.rank(); ++d) expected.Append(data[d]);
  const bool one_element = expected.rank() == 0 && updates.ElementCount().Contains(1);
  if (!one_element && !updates.MayEqual(expected)) {
    return ConstraintError("ScatterNDUpdate_c3", absl::StrCat("updates have another shape; expected ",
                                                              expected.ToString(), ", got ", updates.ToString()));
  }
  return absl::OkStatus();
}

absl::Status InferScatterNDUpdate(InferContext& context) {
  BURIN_RETURN_IF_ERROR(context.RequireIntegerType("ScatterNDUpdate_c1", 1));
  for (int64_t i = 0; i < 2; ++i) {
    BURIN_RETURN_IF_ERROR(context.RequireRankBetween("ScatterNDUpdate_c1", i, 1, kMaxRank));
  }
  BURIN_RETURN_IF_ERROR(context.RequireType("ScatterNDUpdate_c3", 2, context.input_type(0)));
  const ScatterReduction reduction = context.attributes<ScatterNDUpdateAttributes>().reduction;
  if (!IsNDReduction(reduction)) {
    return ConstraintError("ScatterNDUpdate_c4", absl::StrCat("reduction not defined here; got ", EnumName(reduction)));
  }
  const PartialShape& data = context.input_shape(0);
  if (data.has_rank() && context.input_shape(1).has_rank()) {
    BURIN_RETURN_IF_ERROR(CheckUpdates(data, context.input_shape(1), context.input_shape(2)));
  }
  context.SetOutput(0, context.input_type(0), data);
  return absl::OkStatus();
}

absl::Status ReferenceScatterNDUpdate(ReferenceContext& context) {
  const Tensor& data = context.input(0);
  const Tensor& updates = context.input(2);
  const Shape& indices_shape = context.input(1).shape();
  const std::vector<int64_t> indices = context.InputAsInts(1);
  const std::vector<int64_t> strides = RowMajorStrides(data.shape());
  const size_t tuple = static_cast<size_t>(indices_shape.back());
  std::vector<int64_t> targets;
  if (updates.element_count() > 0) {
    const int64_t tuples = ProductOf(indices_shape, 0, static_cast<int64_t>(indices_shape.size()) - 1);
    const int64_t slice =
        ProductOf(data.shape(), static_cast<int64_t>(tuple), static_cast<int64_t>(data.shape().size()));
    targets.reserve(static_cast<size_t>(updates.element_count()));
    for (int64_t i = 0; i < tuples; ++i) {
      int64_t position = 0;
      for (size_t k = 0; k < tuple; ++k) {
        BURIN_ASSIGN_OR_RETURN(
            const int64_t index,
            WrapIndex("ScatterNDUpdate_c5", indices[static_cast<size_t>(i) * tuple + k], data.shape()[k]));
        position += index * strides[k];
      }
      for (int64_t j = 0; j < slice; ++j) targets.push_back(position + j);
    }
  }
  return ApplyUpdates(context, context.attributes<ScatterNDUpdateAttributes>().reduction, true, updates, targets);
}

}  // namespace

const OpDef& ScatterNDUpdateOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kScatterNDUpdate, "ScatterNDUpdate", "opset15");
    d.min_inputs = 3;
    d.max_inputs = 3;
    d.make_attributes = &MakeAttributes<ScatterNDUpdateAttributes>;
    d.infer = &InferScatterNDUpdate;
    d.reference = &ReferenceScatterNDUpdate;
    d.cost = [](const CostContext& context) {
      return ScatterCost(context, 2, context.attributes<ScatterNDUpdateAttributes>().reduction);
    };
    d.tolerance = ToleranceClass::kAccumulated;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
