// HardSigmoid: max(0, min(1, alpha * x + beta)); NaN stays NaN.
//
// Input 0: x, any shape. Inputs 1 and 2: alpha and beta, scalars. Output 0: the shape and type of x.
//   HardSigmoid_c1: the inputs have the same type; it is a floating-point type.
//   HardSigmoid_c2: alpha and beta are scalars.
#include "absl/status/status.h"
#include "base/status_macros.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/elementwise.h"
#include "ir/ops/family/wrapping_arithmetic.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/reference_context.h"
#include "ir/tolerance.h"

namespace burin::ir {
namespace {

absl::Status InferHardSigmoid(InferContext& context) {
  BURIN_RETURN_IF_ERROR(context.SameType("HardSigmoid_c1", 0, 2).status());
  for (const int64_t scalar : {1, 2}) BURIN_RETURN_IF_ERROR(context.RequireRank("HardSigmoid_c2", scalar, 0));
  return InferUnary(context, "HardSigmoid", TypeClass::kFloat);
}

absl::Status ReferenceHardSigmoid(ReferenceContext& context) {
  const double alpha = context.InputAsDoubles(1)[0];
  const double beta = context.InputAsDoubles(2)[0];
  return MapUnary<double, double>(context,
                                  [alpha, beta](double x) { return Larger(0.0, Smaller(1.0, alpha * x + beta)); });
}

}  // namespace

const OpDef& HardSigmoidOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kHardSigmoid, "HardSigmoid", "opset1");
    d.min_inputs = 3;
    d.max_inputs = 3;
    d.traits = kElementwise;
    d.tolerance = ToleranceClass::kTranscendental;
    d.infer = &InferHardSigmoid;
    d.reference = &ReferenceHardSigmoid;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
