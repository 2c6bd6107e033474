// Atanh: the number whose hyperbolic tangent is x; infinite at -1 and 1, NaN beyond.
//
// Input 0: any shape. Output 0: the input's shape, the input's type. Integers: the result is rounded to
// the nearest, halves away from zero, and saturates.
//   Atanh_c1: the type of input 0 is a numeric type.
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

absl::Status InferAtanh(InferContext& context) { return InferUnary(context, "Atanh", TypeClass::kNumeric); }

absl::Status ReferenceAtanh(ReferenceContext& context) {
  return ReferenceReal(context, [](double x) { return std::atanh(x); });
}

}  // namespace

const OpDef& AtanhOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kAtanh, "Atanh", "opset4");
    d.traits = kElementwise;
    d.infer = &InferAtanh;
    d.reference = &ReferenceAtanh;
    d.tolerance = ToleranceClass::kTranscendental;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
