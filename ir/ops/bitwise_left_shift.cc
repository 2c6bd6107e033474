// BitwiseLeftShift: a shifted to the left by b bits; bits beyond the width are dropped.
// A count that is negative or not below the width shifts everything out: 0.
//
// Inputs 0 and 1: one type, shapes that broadcast under `auto_broadcast`. Output 0: the broadcast shape, the same type.
//   BitwiseLeftShift_c1: the inputs have the same type; it is an integer type.
//   BitwiseLeftShift_c2: the shapes broadcast.
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

absl::Status InferBitwiseLeftShift(InferContext& context) {
  const BroadcastRule& rule = context.attributes<BroadcastAttributes>().broadcast;
  return InferBinary(context, "BitwiseLeftShift", rule, TypeClass::kInteger);
}

absl::Status ReferenceBitwiseLeftShift(ReferenceContext& context) {
  const BroadcastRule& rule = context.attributes<BroadcastAttributes>().broadcast;
  return ReferenceIntegers(context, rule, [](auto a, auto b) {
    const uint64_t count = static_cast<uint64_t>(b);
    return static_cast<decltype(a)>(count < 64 ? static_cast<uint64_t>(a) << count : 0);
  });
}

}  // namespace

const OpDef& BitwiseLeftShiftOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kBitwiseLeftShift, "BitwiseLeftShift", "opset15");
    d.min_inputs = 2;
    d.max_inputs = 2;
    d.traits = kElementwise;
    d.make_attributes = &MakeAttributes<BroadcastAttributes>;
    d.infer = &InferBitwiseLeftShift;
    d.reference = &ReferenceBitwiseLeftShift;
    d.tolerance = ToleranceClass::kExact;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
