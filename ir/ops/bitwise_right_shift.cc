// BitwiseRightShift: a shifted to the right by b bits; copies of the sign move in, or zeros where the type is unsigned.
// A count that is negative or not below the width shifts everything out
// but the sign: 0, or -1 for a negative number.
//
// Inputs 0 and 1: one type, shapes that broadcast under `auto_broadcast`. Output 0: the broadcast shape, the same type.
//   BitwiseRightShift_c1: the inputs have the same type; it is an integer type.
//   BitwiseRightShift_c2: the shapes broadcast.
#include <cstdint>

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

absl::Status InferBitwiseRightShift(InferContext& context) {
  const BroadcastRule& rule = context.attributes<BroadcastAttributes>().broadcast;
  return InferBinary(context, "BitwiseRightShift", rule, TypeClass::kInteger);
}

absl::Status ReferenceBitwiseRightShift(ReferenceContext& context) {
  const BroadcastRule& rule = context.attributes<BroadcastAttributes>().broadcast;
  return ReferenceIntegers(context, rule, [](auto a, auto b) {
    const uint64_t count = static_cast<uint64_t>(b);
    if (count < 64) return static_cast<decltype(a)>(a >> count);
    return static_cast<decltype(a)>(a < 0 ? -1 : 0);
  });
}

}  // namespace

const OpDef& BitwiseRightShiftOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kBitwiseRightShift, "BitwiseRightShift", "opset15");
    d.min_inputs = 2;
    d.max_inputs = 2;
    d.traits = kElementwise;
    d.make_attributes = &MakeAttributes<BroadcastAttributes>;
    d.infer = &InferBitwiseRightShift;
    d.reference = &ReferenceBitwiseRightShift;
    d.tolerance = ToleranceClass::kExact;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
