// Acos: the angle in [0, pi] whose cosine is x; NaN outside [-1, 1].
//
// Input 0: any shape. Output 0: the input's shape, the input's type. Integers: the result is rounded to
// the nearest, halves away from zero, and saturates.
//   Acos_c1: the type of input 0 is a numeric type.
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

absl::Status InferAcos(InferContext& context) { return InferUnary(context, "Acos", TypeClass::kNumeric); }

absl::Status ReferenceAcos(ReferenceContext& context) {
  return ReferenceReal(context, [](double x) { return std::acos(x); });
}

}  // namespace

const OpDef& AcosOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kAcos, "Acos", "opset1");
    d.traits = kElementwise;
    d.infer = &InferAcos;
    d.reference = &ReferenceAcos;
    d.tolerance = ToleranceClass::kTranscendental;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
