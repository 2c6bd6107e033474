// Softmax: exp(x - max) / sum of exp(x - max), max and sum along one axis.
//
// Inputs:  0 data, of a float type.
// Output:  the same type and shape.
// Constraints:
//   Softmax_c1: the data is of a float type.
//   Softmax_c2: axis lies in [-rank, rank).
#include "ir/ops/softmax.h"

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
  return InferSoftmaxFamily(context, "Softmax", context.attributes<SoftmaxAttributes>().axis);
}

absl::Status Reference(ReferenceContext& context) {
  return ReferenceSoftmaxFamily(context, context.attributes<SoftmaxAttributes>().axis,
                                [](double shifted, double sum) { return std::exp(shifted) / sum; });
}

}  // namespace

const OpDef& SoftmaxOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kSoftmax, "Softmax", "opset8");
    d.make_attributes = &MakeAttributes<SoftmaxAttributes>;
    d.infer = &Infer;
    d.reference = &Reference;
    d.cost = &SoftmaxFamilyCost;
    d.tolerance = ToleranceClass::kTranscendental;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
