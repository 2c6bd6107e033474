// Tan: the tangent of x radians.
//
// Input 0: any shape. Output 0: the input's shape, the input's type. Integers: the result is rounded to
// the nearest, halves away from zero, and saturates.
//   Tan_c1: the type of input 0 is a numeric type.
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

absl::Status InferTan(InferContext& context) { return InferUnary(context, "Tan", TypeClass::kNumeric); }

absl::Status ReferenceTan(ReferenceContext& context) {
  return ReferenceReal(context, [](double x) { return std::tan(x); });
}

}  // namespace

const OpDef& TanOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kTan, "Tan", "opset1");
    d.traits = kElementwise;
    d.infer = &InferTan;
    d.reference = &ReferenceTan;
    d.tolerance = ToleranceClass::kTranscendental;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
