// Elu: x where x > 0, else `alpha` * (exp(x) - 1).
//
// Input 0: any shape. Output 0: the input's shape and type.
//   Elu_c1: the type of input 0 is a floating-point type.
#include "ir/ops/elu.h"

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

absl::Status InferElu(InferContext& context) { return InferUnary(context, "Elu", TypeClass::kFloat); }

absl::Status ReferenceElu(ReferenceContext& context) {
  const double alpha = context.attributes<EluAttributes>().alpha;
  return MapUnary<double, double>(context, [alpha](double x) { return x > 0 ? x : alpha * std::expm1(x); });
}

}  // namespace

const OpDef& EluOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kElu, "Elu", "opset1");
    d.traits = kElementwise;
    d.make_attributes = &MakeAttributes<EluAttributes>;
    d.tolerance = ToleranceClass::kTranscendental;
    d.infer = &InferElu;
    d.reference = &ReferenceElu;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
