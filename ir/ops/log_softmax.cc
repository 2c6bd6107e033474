// LogSoftmax: (x - max) - log(sum of exp(x - max)), max and sum along one axis.
//
// Inputs:  0 data, of a float type.
// Output:  the same type and shape.
// Constraints:
//   LogSoftmax_c1: the data is of a float type.
//   LogSoftmax_c2: axis lies in [-rank, rank).
#include "ir/ops/log_softmax.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/status_macros.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/index_space.h"
#include "ir/ops/family/integer_input.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/reference_context.h"
#include "ir/shape.h"

namespace burin::ir {
namespace {

absl::Status Infer(InferContext& context) {
  BURIN_RETURN_IF_ERROR(context.RequireFloatType("LogSoftmax_c1", 0));
  const PartialShape& shape = context.input_shape(0);
  if (shape.has_rank()) {
    const int64_t axis = context.attributes<LogSoftmaxAttributes>().axis;
    BURIN_RETURN_IF_ERROR(WrapAxis("LogSoftmax_c2", axis, shape.rank()).status());
  }
  context.SetOutput(0, context.input_type(0), shape);
  return absl::OkStatus();
}

absl::Status Reference(ReferenceContext& context) {
  const Shape& shape = context.input(0).shape();
  BURIN_ASSIGN_OR_RETURN(const int64_t axis, NormalizeAxis(context.attributes<LogSoftmaxAttributes>().axis,
                                                           static_cast<int64_t>(shape.size())));
  const AxisSplit split = SplitAtAxis(shape, axis);
  std::vector<double> values = context.InputAsDoubles(0);
  if (values.empty()) return absl::OkStatus();
  for (int64_t outer = 0; outer < split.outer; ++outer) {
    BURIN_RETURN_IF_ERROR(context.CheckCancelled());
    for (int64_t inner = 0; inner < split.inner; ++inner) {
      double* const slice = values.data() + outer * split.length * split.inner + inner;
      double largest = slice[0];
      for (int64_t i = 0; i < split.length; ++i) largest = std::max(largest, slice[i * split.inner]);
      double sum = 0;
      for (int64_t i = 0; i < split.length; ++i) sum += std::exp(slice[i * split.inner] - largest);
      const double log_sum = std::log(sum);
      for (int64_t i = 0; i < split.length; ++i) {
        double& value = slice[i * split.inner];
        value = value - largest - log_sum;
      }
    }
  }
  context.StoreDoubles(0, values);
  return absl::OkStatus();
}

// A comparison, a subtraction, an exponential, an addition and the last step.
Cost LogSoftmaxCost(const CostContext& context) {
  Cost cost = ElementwiseCost(context);
  cost.flops = 5 * context.OutputElements(0);
  return cost;
}

}  // namespace

const OpDef& LogSoftmaxOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kLogSoftmax, "LogSoftmax", "opset5");
    d.make_attributes = &MakeAttributes<LogSoftmaxAttributes>;
    d.infer = &Infer;
    d.reference = &Reference;
    d.cost = &LogSoftmaxCost;
    d.tolerance = ToleranceClass::kTranscendental;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
