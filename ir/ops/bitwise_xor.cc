// BitwiseXor: each bit of a exclusive or that of b.
//
// Inputs 0 and 1: one type, shapes that broadcast under `auto_broadcast`. Output 0: the broadcast shape, the same type.
//   BitwiseXor_c1: the inputs have the same type; it is an integer type or boolean.
//   BitwiseXor_c2: the shapes broadcast.
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

absl::Status InferBitwiseXor(InferContext& context) {
  const BroadcastRule& rule = context.attributes<BroadcastAttributes>().broadcast;
  return InferBinary(context, "BitwiseXor", rule, TypeClass::kIntegerOrBoolean);
}

absl::Status ReferenceBitwiseXor(ReferenceContext& context) {
  const BroadcastRule& rule = context.attributes<BroadcastAttributes>().broadcast;
  return ReferenceIntegers(context, rule, [](auto a, auto b) { return a ^ b; });
}

}  // namespace

const OpDef& BitwiseXorOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kBitwiseXor, "BitwiseXor", "opset13");
    d.min_inputs = 2;
    d.max_inputs = 2;
    d.traits = kElementwise | kCommutative;
    d.make_attributes = &MakeAttributes<BroadcastAttributes>;
    d.infer = &InferBitwiseXor;
    d.reference = &ReferenceBitwiseXor;
    d.tolerance = ToleranceClass::kExact;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
