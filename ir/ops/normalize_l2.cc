// NormalizeL2: divides slices of a tensor by their Euclidean norm.
//
//   y = x / sqrt(sum + eps)          eps_mode add
//   y = x / sqrt(max(sum, eps))      eps_mode max
//
// with the sum of the squares of the elements that differ in the indices along the axes only.
//
// Inputs:  0 data, of a float type; 1 axes, integers in [-rank, rank), a scalar or a list.
// Output:  the data's type and shape.
// Constraints:
//   NormalizeL2_c1: the data is of a float type.
//   NormalizeL2_c2: the axes are different integers in [-rank, rank).
//   NormalizeL2_c3: eps is a number of at least 0.
#include "ir/ops/normalize_l2.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/status_macros.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/channels.h"
#include "ir/ops/family/reduction.h"
#include "ir/ops/ops.h"
#include "ir/reference_context.h"
#include "ir/shape.h"

namespace burin::ir {
namespace {

absl::Status Infer(InferContext& context) {
  BURIN_RETURN_IF_ERROR(RequireEpsilon("NormalizeL2_c3", context.attributes<NormalizeL2Attributes>().eps));
  BURIN_RETURN_IF_ERROR(context.RequireFloatType("NormalizeL2_c1", 0));
  BURIN_RETURN_IF_ERROR(AxesFromInput("NormalizeL2_c2", context, 1, context.input_shape(0)).status());
  context.SetOutput(0, context.input_type(0), context.input_shape(0));
  return absl::OkStatus();
}

absl::Status Reference(ReferenceContext& context) {
  const auto& attributes = context.attributes<NormalizeL2Attributes>();
  const Shape& shape = context.input(0).shape();
  BURIN_ASSIGN_OR_RETURN(const std::vector<int64_t> axes,
                         SortedAxes("axes", context.InputAsInts(1), static_cast<int64_t>(shape.size())));
  std::vector<double> values = context.InputAsDoubles(0);
  if (values.empty()) return absl::OkStatus();
  const SliceSplit split = SplitIntoSlices(shape, axes);
  for (int64_t base : split.slice_offsets) {
    BURIN_RETURN_IF_ERROR(context.CheckCancelled());
    double sum = 0;
    for (int64_t offset : split.element_offsets) {
      const double value = values[static_cast<size_t>(base + offset)];
      sum += value * value;
    }
    const double kept =
        attributes.eps_mode == NormalizeL2EpsMode::kAdd ? sum + attributes.eps : std::max(sum, attributes.eps);
    for (int64_t offset : split.element_offsets) values[static_cast<size_t>(base + offset)] /= std::sqrt(kept);
  }
  context.StoreDoubles(0, values);
  return absl::OkStatus();
}

// The square, its addition, the division.
Cost NormalizeL2Cost(const CostContext& context) {
  Cost cost = ElementwiseCost(context);
  cost.flops = 3 * context.OutputElements(0);
  return cost;
}

}  // namespace

const OpDef& NormalizeL2Op() {
  static const OpDef op = [] {
    OpDef d(OpCode::kNormalizeL2, "NormalizeL2", "opset1");
    d.min_inputs = 2;
    d.max_inputs = 2;
    d.make_attributes = &MakeAttributes<NormalizeL2Attributes>;
    d.infer = &Infer;
    d.reference = &Reference;
    d.cost = &NormalizeL2Cost;
    d.tolerance = ToleranceClass::kAccumulated;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
