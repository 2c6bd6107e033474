// HSigmoid: min(max(x + 3, 0), 6) / 6.
//
// Input 0: any shape. Output 0: the input's shape, the input's type.
//   HSigmoid_c1: the type of input 0 is a floating-point type.
#include "absl/status/status.h"
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

absl::Status InferHSigmoid(InferContext& context) { return InferUnary(context, "HSigmoid", TypeClass::kFloat); }

absl::Status ReferenceHSigmoid(ReferenceContext& context) {
  return ReferenceReal(context, [](double x) { return Smaller(Larger(x + 3, 0.0), 6.0) / 6; });
}

}  // namespace

const OpDef& HSigmoidOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kHSigmoid, "HSigmoid", "opset5");
    d.traits = kElementwise;
    d.infer = &InferHSigmoid;
    d.reference = &ReferenceHSigmoid;
    d.tolerance = ToleranceClass::kTranscendental;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
