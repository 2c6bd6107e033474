// Power: a to the power of b. Integers: exact, wrapping; a negative exponent truncates towards zero.
//
// Inputs 0 and 1: one type, shapes that broadcast under `auto_broadcast`. Output 0: the broadcast shape, the same type.
//   Power_c1: the inputs have the same type; it is a numeric type.
//   Power_c2: the shapes broadcast.
#include "absl/status/status.h"
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

absl::Status InferPower(InferContext& context) {
  const BroadcastRule& rule = context.attributes<BroadcastAttributes>().broadcast;
  return InferBinary(context, "Power", rule, TypeClass::kNumeric);
}

absl::Status ReferencePower(ReferenceContext& context) {
  const BroadcastRule& rule = context.attributes<BroadcastAttributes>().broadcast;
  return ReferenceBinary(context, rule, [](auto a, auto b) { return Power(a, b); });
}

}  // namespace

const OpDef& PowerOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kPower, "Power", "opset1");
    d.min_inputs = 2;
    d.max_inputs = 2;
    d.traits = kElementwise;
    d.make_attributes = &MakeAttributes<BroadcastAttributes>;
    d.infer = &InferPower;
    d.reference = &ReferencePower;
    d.tolerance = ToleranceClass::kTranscendental;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
