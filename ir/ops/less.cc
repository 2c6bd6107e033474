// Less: whether a is less than b; false where either is NaN.
//
// Inputs 0 and 1: one type, shapes that broadcast under `auto_broadcast`. Output 0: the broadcast shape, boolean.
//   Less_c1: the inputs have the same type; it is any type but string.
//   Less_c2: the shapes broadcast.
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

int LessContent(const Dimension& a, const Dimension& b) {
  if (a.max() < b.min()) return 1;
  return a.min() >= b.max() || a.MustEqual(b) ? 0 : -1;
}

absl::Status InferLess(InferContext& context) {
  const BroadcastRule& rule = context.attributes<BroadcastAttributes>().broadcast;
  return InferComparison(context, "Less", rule, TypeClass::kAny, &LessContent);
}

absl::Status ReferenceLess(ReferenceContext& context) {
  const BroadcastRule& rule = context.attributes<BroadcastAttributes>().broadcast;
  return ReferenceComparison(context, rule, [](auto a, auto b) { return a < b; });
}

}  // namespace

const OpDef& LessOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kLess, "Less", "opset1");
    d.min_inputs = 2;
    d.max_inputs = 2;
    d.traits = kElementwise;
    d.make_attributes = &MakeAttributes<BroadcastAttributes>;
    d.infer = &InferLess;
    d.reference = &ReferenceLess;
    d.tolerance = ToleranceClass::kExact;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
