// BitwiseOr: each bit of a or that of b.
//
// Inputs 0 and 1: one type, shapes that broadcast under `auto_broadcast`. Output 0: the broadcast shape, the same type.
//   BitwiseOr_c1: the inputs have the same type; it is an integer type or boolean.
//   BitwiseOr_c2: the shapes broadcast.
#include "absl/status/status.h"
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

absl::Status InferBitwiseOr(InferContext& context) {
  const BroadcastRule& rule = context.attributes<BroadcastAttributes>().broadcast;
  return InferBinary(context, "BitwiseOr", rule, TypeClass::kIntegerOrBoolean);
}

absl::Status ReferenceBitwiseOr(ReferenceContext& context) {
  const BroadcastRule& rule = context.attributes<BroadcastAttributes>().broadcast;
  return ReferenceIntegers(context, rule, [](auto a, auto b) { return a | b; });
}

}  // namespace

const OpDef& BitwiseOrOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kBitwiseOr, "BitwiseOr", "opset13");
    d.min_inputs = 2;
    d.max_inputs = 2;
    d.traits = kElementwise | kCommutative;
    d.make_attributes = &MakeAttributes<BroadcastAttributes>;
    d.infer = &InferBitwiseOr;
    d.reference = &ReferenceBitwiseOr;
    d.tolerance = ToleranceClass::kExact;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
