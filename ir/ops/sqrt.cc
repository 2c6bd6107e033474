// Sqrt: the square root of x; NaN below 0. Integers: rounded to the nearest; 0 below 0.
//
// Input 0: any shape. Output 0: the input's shape, the input's type.
//   Sqrt_c1: the type of input 0 is a numeric type.
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

absl::Status InferSqrt(InferContext& context) { return InferUnary(context, "Sqrt", TypeClass::kNumeric); }

absl::Status ReferenceSqrt(ReferenceContext& context) {
  return ReferenceReal(context, [](double x) { return std::sqrt(x); });
}

}  // namespace

const OpDef& SqrtOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kSqrt, "Sqrt", "opset1");
    d.traits = kElementwise;
    d.infer = &InferSqrt;
    d.reference = &ReferenceSqrt;
    d.tolerance = ToleranceClass::kRounded;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
