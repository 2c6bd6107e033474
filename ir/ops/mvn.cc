// MVN: normalises slices of a tensor by their mean and variance.
//
//   y = x - mean                                  without normalize_variance
//   y = (x - mean) / sqrt(variance + eps)         eps_mode inside_sqrt
//   y = (x - mean) / (sqrt(variance) + eps)       eps_mode outside_sqrt
//
// Mean and (population) variance are those of the elements that differ in the indices along the axes only.
//
// Inputs:  0 data, of a float type; 1 axes, integers in [-rank, rank), a list.
// Output:  the data's type and shape.
// Constraints:
//   MVN_c1: the data is of a float type.
//   MVN_c2: the axes are different integers in [-rank, rank).
//   MVN_c3: eps is a number of at least 0.
#include "ir/ops/mvn.h"

#include <cmath>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/status_macros.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/channels.h"
#include "ir/ops/family/moments.h"
#include "ir/ops/family/reduction.h"
#include "ir/ops/ops.h"
#include "ir/reference_context.h"
#include "ir/shape.h"

namespace burin::ir {
namespace {

absl::Status Infer(InferContext& context) {
  BURIN_RETURN_IF_ERROR(RequireEpsilon("MVN_c3", context.attributes<MVNAttributes>().eps));
  BURIN_RETURN_IF_ERROR(context.RequireFloatType("MVN_c1", 0));
  BURIN_RETURN_IF_ERROR(AxesFromInput("MVN_c2", context, 1, context.input_shape(0)).status());
  context.SetOutput(0, context.input_type(0), context.input_shape(0));
  return absl::OkStatus();
}

double Divisor(const MVNAttributes& attributes, double variance) {
  if (!attributes.normalize_variance) return 1;
  if (attributes.eps_mode == MVNEpsMode::kInsideSqrt) return std::sqrt(variance + attributes.eps);
  return std::sqrt(variance) + attributes.eps;
}

absl::Status Reference(ReferenceContext& context) {
  const auto& attributes = context.attributes<MVNAttributes>();
  const Shape& shape = context.input(0).shape();
  BURIN_ASSIGN_OR_RETURN(const std::vector<int64_t> axes,
                         SortedAxes("axes", context.InputAsInts(1), static_cast<int64_t>(shape.size())));
  std::vector<double> values = context.InputAsDoubles(0);
  if (values.empty()) return absl::OkStatus();
  const SliceSplit split = SplitIntoSlices(shape, axes);
  std::vector<double> slice(split.element_offsets.size());
  for (int64_t base : split.slice_offsets) {
    BURIN_RETURN_IF_ERROR(context.CheckCancelled());
    for (size_t r = 0; r < slice.size(); ++r) slice[r] = values[static_cast<size_t>(base + split.element_offsets[r])];
    const Moments moments = MomentsOf(slice);
    const double divisor = Divisor(attributes, moments.variance);
    for (size_t r = 0; r < slice.size(); ++r) {
      values[static_cast<size_t>(base + split.element_offsets[r])] = (slice[r] - moments.mean) / divisor;
    }
  }
  context.StoreDoubles(0, values);
  return absl::OkStatus();
}

// The mean (1 flop an element) and its subtraction (1); the variance (3) and the division (1).
Cost MVNCost(const CostContext& context) {
  Cost cost = ElementwiseCost(context);
  cost.flops = (context.attributes<MVNAttributes>().normalize_variance ? 6 : 2) * context.OutputElements(0);
  return cost;
}

}  // namespace

const OpDef& MVNOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kMVN, "MVN", "opset6");
    d.min_inputs = 2;
    d.max_inputs = 2;
    d.make_attributes = &MakeAttributes<MVNAttributes>;
    d.infer = &Infer;
    d.reference = &Reference;
    d.cost = &MVNCost;
    d.tolerance = ToleranceClass::kAccumulated;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
