// Add: a + b; integers wrap.
//
// Inputs 0 and 1: one type, shapes that broadcast under `auto_broadcast`. Output 0: the broadcast shape, the same type.
//   Add_c1: the inputs have the same type; it is a numeric type.
//   Add_c2: the shapes broadcast.
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

Dimension AddContent(const Dimension& a, const Dimension& b) { return a + b; }

absl::Status InferAdd(InferContext& context) {
  const BroadcastRule& rule = context.attributes<BroadcastAttributes>().broadcast;
  return InferBinary(context, "Add", rule, TypeClass::kNumeric, &AddContent);
}

absl::Status ReferenceAdd(ReferenceContext& context) {
  const BroadcastRule& rule = context.attributes<BroadcastAttributes>().broadcast;
  return ReferenceBinary(context, rule, [](auto a, auto b) { return WrapAdd(a, b); });
}

}  // namespace

const OpDef& AddOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kAdd, "Add", "opset1");
    d.min_inputs = 2;
    d.max_inputs = 2;
    d.traits = kElementwise | kCommutative;
    d.make_attributes = &MakeAttributes<BroadcastAttributes>;
    d.infer = &InferAdd;
    d.reference = &ReferenceAdd;
    d.tolerance = ToleranceClass::kRounded;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
