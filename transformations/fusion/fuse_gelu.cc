// The parts of Gelu => Gelu(x), in both its forms:
//
//   x / 2 * (1 + Erf(x / sqrt(2)))                                    approximation_mode erf
//   x / 2 * (1 + Tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)))           approximation_mode tanh
//
// Products are in any order and association, factors are divisors or not, the cube is a power or products, and x may be
// taken out of the sum of the tanh. What rounds: each part did, of which the sum with 1 lost digits where x is below
// -1; x * (1 + Erf) overflowed for the largest numbers where its half does not; numbers of the formula may be off by 4
// units of the last place. Guards:
//   - The type is a float of at least 16 bits.
//   - No number has more dimensions than x.
//   - Nobody else reads a part.
//
// Each firing removes all parts but one; no rule takes a Gelu apart.
#include "ir/ops/gelu.h"

#include <memory>
#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "ir/model.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/rewrite.h"
#include "transformations/fusion/formula.h"
#include "transformations/matcher/match.h"
#include "transformations/matcher/matcher.h"
#include "transformations/matcher/pattern.h"
#include "transformations/passes.h"

namespace burin::transformations {
namespace {

using ir::OpCode;

constexpr double kSqrtHalf = 0.70710678118654752440;       // sqrt(1 / 2)
constexpr double kSqrtTwoOverPi = 0.79788456080286535588;  // sqrt(2 / pi)
constexpr double kCubic = 0.044715;

Pattern X() { return Any().Capture("x"); }

// Matches kCubic * x^3.
Pattern ScaledCube() {
  return AnyOf({Scaled(Op(OpCode::kPower).Input(0, X()).Input(1, Number(3)), kCubic),
                ScaledProduct(X(), Square(X()), kCubic), Product(X(), ScaledProduct(X(), X(), kCubic))});
}

// Matches sqrt(2 / pi) * (x + kCubic * x^3).
Pattern Inner() {
  const Pattern scaled_square = AnyOf({Scaled(Square(X()), kCubic), ScaledProduct(X(), X(), kCubic)});
  return AnyOf({Scaled(Sum(X(), ScaledCube()), kSqrtTwoOverPi),
                ScaledProduct(X(), Sum(Number(1), scaled_square), kSqrtTwoOverPi)});
}

// Matches x / 2 * (1 + function).
Pattern HalfOfXTimesOnePlus(const Pattern& function) {
  return AnyOf(
      {ScaledProduct(X(), Sum(function, Number(1)), 0.5), Product(X(), Sum(Scaled(function, 0.5), Number(0.5)))});
}

Pattern Parts() {
  const Pattern erf = Op(OpCode::kErf).Input(0, Scaled(X(), kSqrtHalf)).Capture("erf");
  const Pattern tanh = Op(OpCode::kTanh).Input(0, Inner());
  return AnyOf({HalfOfXTimesOnePlus(erf), HalfOfXTimesOnePlus(tanh)});
}

}  // namespace

absl::StatusOr<std::optional<ir::Patch>> FuseGelu(const ir::Model& model, ir::NodeId id,
                                                  const ir::PassContext& context) {
  static const auto* const parts = new Pattern(Parts());
  const std::optional<Match> match = MatchAt(*parts, model, id, context);
  if (!match.has_value()) return std::nullopt;
  auto attributes = std::make_unique<ir::GeluAttributes>();
  attributes->approximation_mode = match->has("erf") ? ir::GeluApproximation::kErf : ir::GeluApproximation::kTanh;
  return ReplaceFormula(*match, id, ir::GeluOp(), context, std::move(attributes));
}

}  // namespace burin::transformations
