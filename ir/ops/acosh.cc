// Acosh: the non-negative number whose hyperbolic cosine is x; NaN below 1.
//
// Input 0: any shape. Output 0: the input's shape, the input's type. Integers: the result is rounded to
// the nearest, halves away from zero, and saturates.
//   Acosh_c1: the type of input 0 is a numeric type.
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

absl::Status InferAcosh(InferContext& context) { return InferUnary(context, "Acosh", TypeClass::kNumeric); }

absl::Status ReferenceAcosh(ReferenceContext& context) {
  return ReferenceReal(context, [](double x) { return std::acosh(x); });
}

}  // namespace

const OpDef& AcoshOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kAcosh, "Acosh", "opset4");
    d.traits = kElementwise;
    d.infer = &InferAcosh;
    d.reference = &ReferenceAcosh;
    d.tolerance = ToleranceClass::kTranscendental;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
