// SoftSign: x / (1 + |x|).
//
// Input 0: any shape. Output 0: the input's shape, the input's type.
//   SoftSign_c1: the type of input 0 is a floating-point type.
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

absl::Status InferSoftSign(InferContext& context) { return InferUnary(context, "SoftSign", TypeClass::kFloat); }

absl::Status ReferenceSoftSign(ReferenceContext& context) {
  return ReferenceReal(context, [](double x) { return x / (1 + std::fabs(x)); });
}

}  // namespace

const OpDef& SoftSignOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kSoftSign, "SoftSign", "opset9");
    d.traits = kElementwise;
    d.infer = &InferSoftSign;
    d.reference = &ReferenceSoftSign;
    d.tolerance = ToleranceClass::kTranscendental;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
