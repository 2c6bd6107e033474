// Abs: |x|.
//
// Input 0: any shape. Output 0: the input's shape, the input's type. Integers wrap: the most negative
// number is its own magnitude.
//   Abs_c1: the type of input 0 is a numeric type.
#include <cmath>
#include <type_traits>

#include "absl/status/status.h"
#include "ir/dimension.h"
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

template <class T>
T Magnitude(T x) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::fabs(x);
  } else if constexpr (std::is_signed_v<T>) {
    return x < 0 ? WrapSubtract<T>(0, x) : x;
  } else {
    return x;
  }
}

Dimension AbsContent(const Dimension& a) {
  const Dimension negated = Dimension(0) - a;
  if (a.min() >= 0) return a;
  return a.max() <= 0 ? negated : Dimension(0, Max(a, negated).max());
}

absl::Status InferAbs(InferContext& context) { return InferUnary(context, "Abs", TypeClass::kNumeric, &AbsContent); }

absl::Status ReferenceAbs(ReferenceContext& context) {
  return ReferenceUnary(context, [](auto x) { return Magnitude(x); });
}

}  // namespace

const OpDef& AbsOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kAbs, "Abs", "opset1");
    d.traits = kElementwise;
    d.infer = &InferAbs;
    d.reference = &ReferenceAbs;
    d.tolerance = ToleranceClass::kExact;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
