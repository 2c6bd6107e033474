// IsFinite: whether x is neither infinite nor NaN.
//
// Input 0: any shape. Output 0: the input's shape, boolean.
//   IsFinite_c1: the type of input 0 is a floating-point type.
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

absl::Status InferIsFinite(InferContext& context) { return InferPredicate(context, "IsFinite", TypeClass::kFloat); }

absl::Status ReferenceIsFinite(ReferenceContext& context) {
  return ReferencePredicate(context, [](double x) { return std::isfinite(x); });
}

}  // namespace

const OpDef& IsFiniteOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kIsFinite, "IsFinite", "opset10");
    d.traits = kElementwise;
    d.infer = &InferIsFinite;
    d.reference = &ReferenceIsFinite;
    d.tolerance = ToleranceClass::kExact;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
