// BatchNormInference: normalises each channel by a given mean and variance, then scales and shifts it.
//
//   y[n, c, ...] = gamma[c] * (x[n, c, ...] - mean[c]) / sqrt(variance[c] + epsilon) + beta[c]
//
// Inputs:  0 data [N, C, ...], 1 gamma [C], 2 beta [C], 3 mean [C], 4 variance [C], of one float type.
// Output:  the data's type and shape.
// Constraints:
//   BatchNormInference_c1: all inputs have one float type.
//   BatchNormInference_c2: the data has rank 2 or more.
//   BatchNormInference_c3: inputs 1 to 4 are lists of as many numbers as the data has channels.
//   BatchNormInference_c4: epsilon is a number of at least 0.
#include "ir/ops/batch_norm_inference.h"

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "base/status_macros.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/channels.h"
#include "ir/ops/family/index_space.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/reference_context.h"
#include "ir/shape.h"

namespace burin::ir {
namespace {

absl::Status Infer(InferContext& context) {
  const double epsilon = context.attributes<BatchNormInferenceAttributes>().epsilon;
  BURIN_RETURN_IF_ERROR(RequireEpsilon("BatchNormInference_c4", epsilon));
  BURIN_RETURN_IF_ERROR(context.SameType("BatchNormInference_c1", 0, 4).status());
  BURIN_RETURN_IF_ERROR(context.RequireFloatType("BatchNormInference_c1", 0));
  BURIN_ASSIGN_OR_RETURN(PartialShape output,
                         ShapeWithChannels("BatchNormInference_c2", "BatchNormInference_c3", context));
  context.SetOutput(0, context.input_type(0), std::move(output));
  return absl::OkStatus();
}

absl::Status Reference(ReferenceContext& context) {
  const double epsilon = context.attributes<BatchNormInferenceAttributes>().epsilon;
  const Shape& shape = context.input(0).shape();
  const int64_t channels = shape[1];
  const int64_t plane = ProductOf(shape, 2, static_cast<int64_t>(shape.size()));
  std::vector<double> values = context.InputAsDoubles(0);
  const std::vector<double> gamma = context.InputAsDoubles(1);
  const std::vector<double> beta = context.InputAsDoubles(2);
  const std::vector<double> mean = context.InputAsDoubles(3);
  const std::vector<double> variance = context.InputAsDoubles(4);
  if (values.empty()) return absl::OkStatus();
  double* value = values.data();
  for (int64_t slice = 0; slice < shape[0] * channels; ++slice) {
    const size_t c = static_cast<size_t>(slice % channels);
    const double scale = gamma[c] / std::sqrt(variance[c] + epsilon);
    for (int64_t i = 0; i < plane; ++i, ++value) *value = (*value - mean[c]) * scale + beta[c];
  }
  context.StoreDoubles(0, values);
  return absl::OkStatus();
}

Cost BatchNormCost(const CostContext& context) {
  Cost cost = ElementwiseCost(context);
  cost.flops = 2 * context.OutputElements(0);
  return cost;
}

}  // namespace

const OpDef& BatchNormInferenceOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kBatchNormInference, "BatchNormInference", "opset5");
    d.min_inputs = 5;
    d.max_inputs = 5;
    d.make_attributes = &MakeAttributes<BatchNormInferenceAttributes>;
    d.infer = &Infer;
    d.reference = &Reference;
    d.cost = &BatchNormCost;
    d.tolerance = ToleranceClass::kAccumulated;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
