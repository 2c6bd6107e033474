// ScatterElementsUpdate: updates single elements of data, by an index along one axis for each.
//
//   output[i_0, ..., indices[i_0, ..., i_{r-1}], ..., i_{r-1}] (reduction)= updates[i_0, ..., i_{r-1}]    at `axis`
//
// Inputs: data; indices (integers of data's rank); updates (of the indices' shape); axis (one integer). Output: of
// data's shape. Negative indices count from the end. Constraints:
//   ScatterElementsUpdate_c1: indices are integers, and of data's rank.
//   ScatterElementsUpdate_c2: the axis is one integer in [-rank, rank).
//   ScatterElementsUpdate_c3: updates have data's type and the indices' shape.
//   ScatterElementsUpdate_c4: no dimension of the indices but that at the axis is larger than data's.
//   ScatterElementsUpdate_c5: the reduction is not sub, and not mean for booleans.
//   ScatterElementsUpdate_c6: each index lies in [-size, size) of the axis.
#include "ir/ops/scatter_elements_update.h"

#include <optional>
#include <utility>
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

absl::Status CheckReduction(const InferContext& context) {
  const ScatterReduction reduction = context.attributes<ScatterElementsUpdateAttributes>().reduction;
  const bool boolean_mean = reduction == ScatterReduction::kMean && context.input_type(0) == ElementType::kBoolean;
  if (IsElementsReduction(reduction) && !boolean_mean) return absl::OkStatus();
  return ConstraintError("ScatterElementsUpdate_c5",
                         absl::StrCat("reduction not defined here; reduction ", EnumName(reduction), ", type ",
                                      Name(context.input_type(0))));
}

absl::Status InferScatterElementsUpdate(InferContext& context) {
  BURIN_RETURN_IF_ERROR(CheckReduction(context));
  BURIN_RETURN_IF_ERROR(context.RequireIntegerType("ScatterElementsUpdate_c1", 1));
  BURIN_RETURN_IF_ERROR(context.RequireType("ScatterElementsUpdate_c3", 2, context.input_type(0)));
  BURIN_ASSIGN_OR_RETURN(const std::optional<int64_t> named,
                         ExactIntegerScalar("ScatterElementsUpdate_c2", context, 3));
  const PartialShape& data = context.input_shape(0);
  absl::StatusOr<PartialShape> indices = Merge(context.input_shape(1), context.input_shape(2));
  if (!indices.ok()) {
    return ConstraintError("ScatterElementsUpdate_c3",
                           absl::StrCat("updates have another shape than the indices; ", indices.status().message()));
  }
  if (data.has_rank()) {
    BURIN_RETURN_IF_ERROR(context.RequireRank("ScatterElementsUpdate_c1", 1, data.rank()));
    BURIN_RETURN_IF_ERROR(context.RequireRank("ScatterElementsUpdate_c1", 2, data.rank()));
    if (named.has_value()) {
      BURIN_ASSIGN_OR_RETURN(const int64_t axis, WrapAxis("ScatterElementsUpdate_c2", *named, data.rank()));
      for (int64_t d = 0; indices->has_rank() && d < data.rank(); ++d) {
        if (d != axis && (*indices)[d].min() > data[d].max()) {
          return ConstraintError(
              "ScatterElementsUpdate_c4",
              absl::StrCat("indices are larger than data; data ", data.ToString(), ", indices ", indices->ToString()));
        }
      }
    }
  }
  context.SetOutput(0, context.input_type(0), data);
  return absl::OkStatus();
}

absl::Status ReferenceScatterElementsUpdate(ReferenceContext& context) {
  const ScatterElementsUpdateAttributes& attributes = context.attributes<ScatterElementsUpdateAttributes>();
  const Tensor& data = context.input(0);
  const Shape& shape = context.input(1).shape();
  BURIN_ASSIGN_OR_RETURN(const int64_t axis, WrapAxis("ScatterElementsUpdate_c2", context.InputAsInts(3).front(),
                                                      static_cast<int64_t>(shape.size())));
  const std::vector<int64_t> indices = context.InputAsInts(1);
  StridedView view = DenseView(data.shape());
  const int64_t axis_stride = view.strides[static_cast<size_t>(axis)];
  view.strides[static_cast<size_t>(axis)] = 0;
  std::vector<int64_t> targets;
  for (BoxWalker walker(shape, {view}); !walker.done(); walker.Next()) {
    BURIN_ASSIGN_OR_RETURN(const int64_t index, WrapIndex("ScatterElementsUpdate_c6", indices[targets.size()],
                                                          data.shape()[static_cast<size_t>(axis)]));
    targets.push_back(walker.position(0) + index * axis_stride);
  }
  return ApplyUpdates(context, attributes.reduction, attributes.use_init_val, context.input(2), targets);
}

}  // namespace

const OpDef& ScatterElementsUpdateOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kScatterElementsUpdate, "ScatterElementsUpdate", "opset12");
    d.min_inputs = 4;
    d.max_inputs = 4;
    d.make_attributes = &MakeAttributes<ScatterElementsUpdateAttributes>;
    d.infer = &InferScatterElementsUpdate;
    d.reference = &ReferenceScatterElementsUpdate;
    d.cost = [](const CostContext& context) {
      return ScatterCost(context, 2, context.attributes<ScatterElementsUpdateAttributes>().reduction);
    };
    d.tolerance = ToleranceClass::kAccumulated;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
