// Round: the integer nearest to x; halves go to the even one or away from zero, as `mode` says. Integers stay.
//
// Input 0: any shape. Output 0: the input's shape and type.
//   Round_c1: the type of input 0 is a numeric type.
#include "ir/ops/round.h"

#include <cmath>
#include <type_traits>

#include "absl/status/status.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/elementwise.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/reference_context.h"
#include "ir/tolerance.h"

namespace burin::ir {
namespace {

// Returns the nearest integer, the even one from a half, whatever the rounding mode of the processor.
double RoundHalfToEven(double x) {
  const double rounded = std::round(x);  // Halves away from zero.
  const bool half = std::fabs(x - std::trunc(x)) == 0.5;
  return half ? 2 * std::round(x / 2) : rounded;
}

Dimension RoundContent(const Dimension& a) { return a; }

absl::Status InferRound(InferContext& context) {
  return InferUnary(context, "Round", TypeClass::kNumeric, &RoundContent);
}

absl::Status ReferenceRound(ReferenceContext& context) {
  const bool to_even = context.attributes<RoundAttributes>().mode == RoundMode::kHalfToEven;
  return ReferenceUnary(context, [to_even](auto x) {
    if constexpr (std::is_floating_point_v<decltype(x)>) return to_even ? RoundHalfToEven(x) : std::round(x);
    return x;
  });
}

}  // namespace

const OpDef& RoundOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kRound, "Round", "opset5");
    d.traits = kElementwise;
    d.make_attributes = &MakeAttributes<RoundAttributes>;
    d.tolerance = ToleranceClass::kExact;
    d.infer = &InferRound;
    d.reference = &ReferenceRound;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
