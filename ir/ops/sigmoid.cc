// Sigmoid: 1 / (1 + exp(-x)).
//
// Input 0: any shape. Output 0: the input's shape, the input's type. Integers: the result is rounded to
// the nearest, halves away from zero, and saturates.
//   Sigmoid_c1: the type of input 0 is a numeric type.
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

absl::Status InferSigmoid(InferContext& context) { return InferUnary(context, "Sigmoid", TypeClass::kNumeric); }

absl::Status ReferenceSigmoid(ReferenceContext& context) {
  return ReferenceReal(context, [](double x) { return 1 / (1 + std::exp(-x)); });
}

}  // namespace

const OpDef& SigmoidOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kSigmoid, "Sigmoid", "opset1");
    d.traits = kElementwise;
    d.infer = &InferSigmoid;
    d.reference = &ReferenceSigmoid;
    d.tolerance = ToleranceClass::kTranscendental;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
