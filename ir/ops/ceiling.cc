// Ceiling: the smallest integer not below x; integers stay as they are.
//
// Input 0: any shape. Output 0: the input's shape, the input's type.
//   Ceiling_c1: the type of input 0 is a numeric type.
#include <cmath>
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

Dimension CeilingContent(const Dimension& a) { return a; }

absl::Status InferCeiling(InferContext& context) {
  return InferUnary(context, "Ceiling", TypeClass::kNumeric, &CeilingContent);
}

absl::Status ReferenceCeiling(ReferenceContext& context) {
  return ReferenceUnary(context, [](auto x) {
    if constexpr (std::is_floating_point_v<decltype(x)>) return std::ceil(x);
    return x;
  });
}

}  // namespace

const OpDef& CeilingOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kCeiling, "Ceiling", "opset1");
    d.traits = kElementwise;
    d.infer = &InferCeiling;
    d.reference = &ReferenceCeiling;
    d.tolerance = ToleranceClass::kExact;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
