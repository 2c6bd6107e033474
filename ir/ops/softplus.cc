// SoftPlus: log(1 + exp(x)).
//
// Input 0: any shape. Output 0: the input's shape, the input's type.
//   SoftPlus_c1: the type of input 0 is a floating-point type.
#include <cmath>

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

// Written so that exp cannot overflow: log(1 + exp(x)) = max(x, 0) + log(1 + exp(-|x|)).
double SoftPlus(double x) { return Larger(x, 0.0) + std::log1p(std::exp(-std::fabs(x))); }

absl::Status InferSoftPlus(InferContext& context) { return InferUnary(context, "SoftPlus", TypeClass::kFloat); }

absl::Status ReferenceSoftPlus(ReferenceContext& context) { return ReferenceReal(context, SoftPlus); }

}  // namespace

const OpDef& SoftPlusOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kSoftPlus, "SoftPlus", "opset4");
    d.traits = kElementwise;
    d.infer = &InferSoftPlus;
    d.reference = &ReferenceSoftPlus;
    d.tolerance = ToleranceClass::kTranscendental;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
