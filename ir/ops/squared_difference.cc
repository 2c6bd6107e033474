// SquaredDifference: (a - b) * (a - b); integers wrap.
//
// Inputs 0 and 1: one type, shapes that broadcast under `auto_broadcast`. Output 0: the broadcast shape, the same type.
//   SquaredDifference_c1: the inputs have the same type; it is a numeric type.
//   SquaredDifference_c2: the shapes broadcast.
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

absl::Status InferSquaredDifference(InferContext& context) {
  const BroadcastRule& rule = context.attributes<BroadcastAttributes>().broadcast;
  return InferBinary(context, "SquaredDifference", rule, TypeClass::kNumeric);
}

absl::Status ReferenceSquaredDifference(ReferenceContext& context) {
  const BroadcastRule& rule = context.attributes<BroadcastAttributes>().broadcast;
  return ReferenceBinary(context, rule, [](auto a, auto b) {
    const auto difference = WrapSubtract(a, b);
    return WrapMultiply(difference, difference);
  });
}

}  // namespace

const OpDef& SquaredDifferenceOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kSquaredDifference, "SquaredDifference", "opset1");
    d.min_inputs = 2;
    d.max_inputs = 2;
    d.traits = kElementwise | kCommutative;
    d.make_attributes = &MakeAttributes<BroadcastAttributes>;
    d.infer = &InferSquaredDifference;
    d.reference = &ReferenceSquaredDifference;
    d.tolerance = ToleranceClass::kTranscendental;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
