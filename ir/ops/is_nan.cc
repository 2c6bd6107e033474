// IsNaN: whether x is NaN.
//
// Input 0: any shape. Output 0: the input's shape, boolean.
//   IsNaN_c1: the type of input 0 is a floating-point type.
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

absl::Status InferIsNaN(InferContext& context) { return InferPredicate(context, "IsNaN", TypeClass::kFloat); }

absl::Status ReferenceIsNaN(ReferenceContext& context) {
  return ReferencePredicate(context, [](double x) { return std::isnan(x); });
}

}  // namespace

const OpDef& IsNaNOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kIsNaN, "IsNaN", "opset10");
    d.traits = kElementwise;
    d.infer = &InferIsNaN;
    d.reference = &ReferenceIsNaN;
    d.tolerance = ToleranceClass::kExact;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
