// Relu: max(x, 0); NaN stays NaN.
//
// Input 0: any shape. Output 0: the input's shape, the input's type.
//   Relu_c1: the type of input 0 is a numeric type.
#include "absl/status/status.h"
#include "ir/dimension.h"
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

Dimension ReluContent(const Dimension& a) { return Max(a, 0); }

absl::Status InferRelu(InferContext& context) { return InferUnary(context, "Relu", TypeClass::kNumeric, &ReluContent); }

absl::Status ReferenceRelu(ReferenceContext& context) {
  return ReferenceUnary(context, [](auto x) { return Larger<decltype(x)>(x, 0); });
}

}  // namespace

const OpDef& ReluOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kRelu, "Relu", "opset1");
    d.traits = kElementwise;
    d.infer = &InferRelu;
    d.reference = &ReferenceRelu;
    d.tolerance = ToleranceClass::kExact;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
