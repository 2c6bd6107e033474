// Equal: whether a equals b; a NaN differs from everything.
//
// Inputs 0 and 1: one type, shapes that broadcast under `auto_broadcast`. Output 0: the broadcast shape, boolean.
//   Equal_c1: the inputs have the same type; it is any type but string.
//   Equal_c2: the shapes broadcast.
#include "absl/status/status.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/broadcast_rule.h"
#include "ir/ops/family/elementwise.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/reference_context.h"
#include "ir/tolerance.h"

namespace burin::ir {
namespace {

int EqualContent(const Dimension& a, const Dimension& b) {
  if (a.MustEqual(b)) return 1;
  return a.MayEqual(b) ? -1 : 0;
}

absl::Status InferEqual(InferContext& context) {
  const BroadcastRule& rule = context.attributes<BroadcastAttributes>().broadcast;
  return InferComparison(context, "Equal", rule, TypeClass::kAny, &EqualContent);
}

absl::Status ReferenceEqual(ReferenceContext& context) {
  const BroadcastRule& rule = context.attributes<BroadcastAttributes>().broadcast;
  return ReferenceComparison(context, rule, [](auto a, auto b) { return a == b; });
}

}  // namespace

const OpDef& EqualOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kEqual, "Equal", "opset1");
    d.min_inputs = 2;
    d.max_inputs = 2;
    d.traits = kElementwise | kCommutative;
    d.make_attributes = &MakeAttributes<BroadcastAttributes>;
    d.infer = &InferEqual;
    d.reference = &ReferenceEqual;
    d.tolerance = ToleranceClass::kExact;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
