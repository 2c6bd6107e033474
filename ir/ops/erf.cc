// Erf: the Gauss error function, 2 / sqrt(pi) * (integral of exp(-t * t) for t from 0 to x).
//
// Input 0: any shape. Output 0: the input's shape, the input's type. Integers: the result is rounded to
// the nearest, halves away from zero, and saturates.
//   Erf_c1: the type of input 0 is a numeric type.
#include <cmath>

#include "absl/status/status.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/elementwise.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/reference_context.h"
#include "ir/tolerance.h"

namespace burin::ir {
namespace {

absl::Status InferErf(InferContext& context) { return InferUnary(context, "Erf", TypeClass::kNumeric); }

absl::Status ReferenceErf(ReferenceContext& context) {
  return ReferenceReal(context, [](double x) { return std::erf(x); });
}

}  // namespace

const OpDef& ErfOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kErf, "Erf", "opset1");
    d.traits = kElementwise;
    d.infer = &InferErf;
    d.reference = &ReferenceErf;
    d.tolerance = ToleranceClass::kTranscendental;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
