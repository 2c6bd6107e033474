// Minimum: the smaller of a and b; NaN where either is.
//
// Inputs 0 and 1: one type, shapes that broadcast under `auto_broadcast`. Output 0: the broadcast shape, the same type.
//   Minimum_c1: the inputs have the same type; it is a numeric type.
//   Minimum_c2: the shapes broadcast.
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

Dimension MinimumContent(const Dimension& a, const Dimension& b) { return Min(a, b); }

absl::Status InferMinimum(InferContext& context) {
  const BroadcastRule& rule = context.attributes<BroadcastAttributes>().broadcast;
  return InferBinary(context, "Minimum", rule, TypeClass::kNumeric, &MinimumContent);
}

absl::Status ReferenceMinimum(ReferenceContext& context) {
  const BroadcastRule& rule = context.attributes<BroadcastAttributes>().broadcast;
  return ReferenceBinary(context, rule, [](auto a, auto b) { return Smaller(a, b); });
}

}  // namespace

const OpDef& MinimumOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kMinimum, "Minimum", "opset1");
    d.min_inputs = 2;
    d.max_inputs = 2;
    d.traits = kElementwise | kCommutative;
    d.make_attributes = &MakeAttributes<BroadcastAttributes>;
    d.infer = &InferMinimum;
    d.reference = &ReferenceMinimum;
    d.tolerance = ToleranceClass::kExact;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
