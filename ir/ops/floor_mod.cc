// FloorMod: the remainder of a / b, with the sign of the divisor, as of a division that rounds down.
// Integers: x mod 0 = 0. Floats: x mod 0 = NaN.
//
// Inputs 0 and 1: one type, shapes that broadcast under `auto_broadcast`. Output 0: the broadcast shape, the same type.
//   FloorMod_c1: the inputs have the same type; it is a numeric type.
//   FloorMod_c2: the shapes broadcast.
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

Dimension FloorModContent(const Dimension& a, const Dimension& b) {
  if (a.min() < 0 || b.min() <= 0) return Dimension::AnyValue();
  if (a.max() < b.min()) return a;
  if (a.is_static() && b.is_static()) return Dimension(a.value() % b.value());
  return Dimension(0, b.max() == Dimension::kInfinite ? a.max() : Min(a, b - 1).max());
}

absl::Status InferFloorMod(InferContext& context) {
  const BroadcastRule& rule = context.attributes<BroadcastAttributes>().broadcast;
  return InferBinary(context, "FloorMod", rule, TypeClass::kNumeric, &FloorModContent);
}

absl::Status ReferenceFloorMod(ReferenceContext& context) {
  const BroadcastRule& rule = context.attributes<BroadcastAttributes>().broadcast;
  return ReferenceBinary(context, rule, [](auto a, auto b) { return FloorModulo(a, b); });
}

}  // namespace

const OpDef& FloorModOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kFloorMod, "FloorMod", "opset1");
    d.min_inputs = 2;
    d.max_inputs = 2;
    d.traits = kElementwise;
    d.make_attributes = &MakeAttributes<BroadcastAttributes>;
    d.infer = &InferFloorMod;
    d.reference = &ReferenceFloorMod;
    d.tolerance = ToleranceClass::kRounded;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
