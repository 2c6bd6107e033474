// Swish: x / (1 + exp(-beta * x)).
//
// Input 0: x, any shape. Input 1, optional: beta, a scalar; 1 where absent. Output 0: the shape and type of x.
//   Swish_c1: the inputs have the same type; it is a floating-point type.
//   Swish_c2: beta is a scalar.
#include <cmath>

#include "absl/status/status.h"
#include "base/status_macros.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/elementwise.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/reference_context.h"
#include "ir/tolerance.h"

namespace burin::ir {
namespace {

absl::Status InferSwish(InferContext& context) {
  if (context.has_input(1)) {
    BURIN_RETURN_IF_ERROR(context.SameType("Swish_c1", 0, 1).status());
    BURIN_RETURN_IF_ERROR(context.RequireRank("Swish_c2", 1, 0));
  }
  return InferUnary(context, "Swish", TypeClass::kFloat);
}

absl::Status ReferenceSwish(ReferenceContext& context) {
  const double beta = context.has_input(1) ? context.InputAsDoubles(1)[0] : 1.0;
  return MapUnary<double, double>(context, [beta](double x) { return x / (1 + std::exp(-beta * x)); });
}

}  // namespace

const OpDef& SwishOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kSwish, "Swish", "opset4");
    d.max_inputs = 2;
    d.traits = kElementwise;
    d.tolerance = ToleranceClass::kTranscendental;
    d.infer = &InferSwish;
    d.reference = &ReferenceSwish;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
