// LogSoftmax: (x - max) - log(sum of exp(x - max)), max and sum along one axis.
//
// Inputs:  0 data, of a float type.
// Output:  the same type and shape.
// Constraints:
//   LogSoftmax_c1: the data is of a float type.
//   LogSoftmax_c2: axis lies in [-rank, rank).
#include "ir/ops/log_softmax.h"

#include <cmath>

#include "absl/status/status.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/softmax_family.h"
#include "ir/ops/ops.h"
#include "ir/reference_context.h"

namespace burin::ir {
namespace {

absl::Status Infer(InferContext& context) {
  return InferSoftmaxFamily(context, "LogSoftmax", context.attributes<LogSoftmaxAttributes>().axis);
}

absl::Status Reference(ReferenceContext& context) {
  return ReferenceSoftmaxFamily(context, context.attributes<LogSoftmaxAttributes>().axis,
                                [](double shifted, double sum) { return shifted - std::log(sum); });
}

}  // namespace

const OpDef& LogSoftmaxOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kLogSoftmax, "LogSoftmax", "opset5");
    d.make_attributes = &MakeAttributes<LogSoftmaxAttributes>;
    d.infer = &Infer;
    d.reference = &Reference;
    d.cost = &SoftmaxFamilyCost;
    d.tolerance = ToleranceClass::kTranscendental;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
