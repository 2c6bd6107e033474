// Sign: -1, 0 or 1, as x is below, equal to or above 0; NaN stays NaN.
//
// Input 0: any shape. Output 0: the input's shape, the input's type.
//   Sign_c1: the type of input 0 is a numeric type.
#include <type_traits>

#include "absl/status/status.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/elementwise.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/reference_context.h"
#include "ir/tolerance.h"

namespace burin::ir {
namespace {

Dimension SignContent(const Dimension& a) { return Min(Max(a, -1), 1); }

absl::Status InferSign(InferContext& context) { return InferUnary(context, "Sign", TypeClass::kNumeric, &SignContent); }

absl::Status ReferenceSign(ReferenceContext& context) {
  return ReferenceUnary(context, [](auto x) {
    using T = decltype(x);
    if (x > 0) return T{1};
    if constexpr (std::is_signed_v<T>) {
      if (x < 0) return T{-1};
    }
    return x;  // Zero or NaN.
  });
}

}  // namespace

const OpDef& SignOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kSign, "Sign", "opset1");
    d.traits = kElementwise;
    d.infer = &InferSign;
    d.reference = &ReferenceSign;
    d.tolerance = ToleranceClass::kExact;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
