// BitwiseNot: every bit of x inverted; of a boolean its negation.
//
// Input 0: any shape. Output 0: the input's shape, the input's type.
//   BitwiseNot_c1: the type of input 0 is an integer type or boolean.
#include <type_traits>

#include "absl/status/status.h"
#include "base/element_type.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/elementwise.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/reference_context.h"
#include "ir/tolerance.h"

namespace burin::ir {
namespace {

absl::Status InferBitwiseNot(InferContext& context) {
  return InferUnary(context, "BitwiseNot", TypeClass::kIntegerOrBoolean);
}

absl::Status ReferenceBitwiseNot(ReferenceContext& context) {
  if (context.input(0).element_type() == ElementType::kBoolean) {
    return ReferenceUnary(context, [](auto x) { return static_cast<decltype(x)>(x == 0); });
  }
  return ReferenceUnary(context, [](auto x) {
    if constexpr (std::is_integral_v<decltype(x)>) return static_cast<decltype(x)>(~x);
    return x;  // Not reached: InferBitwiseNot admits no floats.
  });
}

}  // namespace

const OpDef& BitwiseNotOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kBitwiseNot, "BitwiseNot", "opset13");
    d.traits = kElementwise;
    d.infer = &InferBitwiseNot;
    d.reference = &ReferenceBitwiseNot;
    d.tolerance = ToleranceClass::kExact;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
