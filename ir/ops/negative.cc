// Negative: -x.
//
// Input 0: any shape. Output 0: the input's shape, the input's type. Integers wrap: the most negative
// number is its own negative.
//   Negative_c1: the type of input 0 is a numeric type.
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
T Negate(T x) {
  if constexpr (std::is_floating_point_v<T>) return -x;
  return WrapSubtract<T>(0, x);
}

Dimension NegativeContent(const Dimension& a) { return Dimension(0) - a; }

absl::Status InferNegative(InferContext& context) {
  return InferUnary(context, "Negative", TypeClass::kNumeric, &NegativeContent);
}

absl::Status ReferenceNegative(ReferenceContext& context) {
  return ReferenceUnary(context, [](auto x) { return Negate(x); });
}

}  // namespace

const OpDef& NegativeOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kNegative, "Negative", "opset1");
    d.traits = kElementwise;
    d.infer = &InferNegative;
    d.reference = &ReferenceNegative;
    d.tolerance = ToleranceClass::kExact;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
