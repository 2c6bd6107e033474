// Subtract: a - b; integers wrap.
//
// Inputs 0 and 1: one type, shapes that broadcast under `auto_broadcast`. Output 0: the broadcast shape, the same type.
//   Subtract_c1: the inputs have the same type; it is a numeric type.
//   Subtract_c2: the shapes broadcast.
#include "absl/status/status.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/broadcast_rule.h"
#include "ir/ops/family/elementwise.h"
#include "ir/ops/family/wrapping_arithmetic.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/reference_context.h"
#include "ir/tolerance.h"

namespace burin::ir {
namespace {

Dimension SubtractContent(const Dimension& a, const Dimension& b) { return a.MustEqual(b) ? Dimension(0) : a - b; }

absl::Status InferSubtract(InferContext& context) {
  const BroadcastRule& rule = context.attributes<BroadcastAttributes>().broadcast;
  return InferBinary(context, "Subtract", rule, TypeClass::kNumeric, &SubtractContent);
}

absl::Status ReferenceSubtract(ReferenceContext& context) {
  const BroadcastRule& rule = context.attributes<BroadcastAttributes>().broadcast;
  return ReferenceBinary(context, rule, [](auto a, auto b) { return WrapSubtract(a, b); });
}

}  // namespace

const OpDef& SubtractOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kSubtract, "Subtract", "opset1");
    d.min_inputs = 2;
    d.max_inputs = 2;
    d.traits = kElementwise;
    d.make_attributes = &MakeAttributes<BroadcastAttributes>;
    d.infer = &InferSubtract;
    d.reference = &ReferenceSubtract;
    d.tolerance = ToleranceClass::kRounded;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
