// Mish: x * tanh(log(1 + exp(x))).
//
// Input 0: any shape. Output 0: the input's shape, the input's type.
//   Mish_c1: the type of input 0 is a floating-point type.
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

absl::Status InferMish(InferContext& context) { return InferUnary(context, "Mish", TypeClass::kFloat); }

absl::Status ReferenceMish(ReferenceContext& context) {
  return ReferenceReal(context, [](double x) { return x * std::tanh(std::log1p(std::exp(x))); });
}

}  // namespace

const OpDef& MishOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kMish, "Mish", "opset4");
    d.traits = kElementwise;
    d.infer = &InferMish;
    d.reference = &ReferenceMish;
    d.tolerance = ToleranceClass::kTranscendental;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
