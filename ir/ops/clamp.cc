// Clamp: min(max(x, `min`), `max`); NaN stays NaN. Integers take `min` rounded up and `max` rounded down.
//
// Input 0: any shape. Output 0: the input's shape and type.
//   Clamp_c1: the type of input 0 is a numeric type.
//   Clamp_c2: `min` is not above `max`, and neither is NaN.
#include "ir/ops/clamp.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/elementwise.h"
#include "ir/ops/family/wrapping_arithmetic.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/reference_context.h"
#include "ir/tolerance.h"

namespace burin::ir {
namespace {

// Returns a bound that has no fraction as T; what lies outside the range of an integer T becomes the end of the range.
template <class T>
T Bound(double bound) {
  if constexpr (std::is_floating_point_v<T>) {
    return bound;
  } else {
    if (bound <= static_cast<double>(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
    if (bound >= static_cast<double>(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
    return static_cast<T>(bound);
  }
}

absl::Status InferClamp(InferContext& context) {
  const ClampAttributes& attributes = context.attributes<ClampAttributes>();
  if (!(attributes.min <= attributes.max)) {
    return absl::InvalidArgumentError(
        absl::StrCat("Clamp_c2: min must not be above max; got ", attributes.min, " and ", attributes.max));
  }
  return InferUnary(context, "Clamp", TypeClass::kNumeric);
}

absl::Status ReferenceClamp(ReferenceContext& context) {
  const ClampAttributes& attributes = context.attributes<ClampAttributes>();
  return ReferenceUnary(context, [&attributes](auto x) {
    using T = decltype(x);
    constexpr bool kRound = std::is_integral_v<T>;
    const T min = Bound<T>(kRound ? std::ceil(attributes.min) : attributes.min);
    const T max = Bound<T>(kRound ? std::floor(attributes.max) : attributes.max);
    return Smaller<T>(Larger<T>(x, min), max);
  });
}

}  // namespace

const OpDef& ClampOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kClamp, "Clamp", "opset1");
    d.traits = kElementwise;
    d.make_attributes = &MakeAttributes<ClampAttributes>;
    d.tolerance = ToleranceClass::kExact;
    d.infer = &InferClamp;
    d.reference = &ReferenceClamp;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
