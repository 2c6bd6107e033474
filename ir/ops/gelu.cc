// Gelu: x / 2 * (1 + erf(x / sqrt(2))), or with `approximation_mode` tanh
// x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))).
//
// Input 0: any shape. Output 0: the input's shape and type.
//   Gelu_c1: the type of input 0 is a floating-point type.
#include "ir/ops/gelu.h"

#include <cmath>

#include "absl/status/status.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/elementwise.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/reference_context.h"
#include "ir/tolerance.h"

namespace burin::ir {
namespace {

constexpr double kSqrtHalf = 0.70710678118654752440;       // sqrt(1 / 2)
constexpr double kSqrtTwoOverPi = 0.79788456080286535588;  // sqrt(2 / pi)

// 1 + erf(y) is erfc(-y), which keeps its digits where erf(y) is near -1.
double GeluErf(double x) { return 0.5 * x * std::erfc(-x * kSqrtHalf); }

double GeluTanh(double x) { return 0.5 * x * (1 + std::tanh(kSqrtTwoOverPi * (x + 0.044715 * x * x * x))); }

absl::Status InferGelu(InferContext& context) { return InferUnary(context, "Gelu", TypeClass::kFloat); }

absl::Status ReferenceGelu(ReferenceContext& context) {
  switch (context.attributes<GeluAttributes>().approximation_mode) {
    case GeluApproximation::kErf:
      return MapUnary<double, double>(context, GeluErf);
    case GeluApproximation::kTanh:
      break;
  }
  return MapUnary<double, double>(context, GeluTanh);
}

}  // namespace

const OpDef& GeluOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kGelu, "Gelu", "opset7");
    d.traits = kElementwise;
    d.make_attributes = &MakeAttributes<GeluAttributes>;
    d.tolerance = ToleranceClass::kTranscendental;
    d.infer = &InferGelu;
    d.reference = &ReferenceGelu;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
