// The parts of Mish => Mish(x):
//
//   x * Tanh(SoftPlus(x)), and x * Tanh(Log(1 + Exp(x)))
//
// What rounds: each part did; the number may be off by 4 units of the last place. Where Exp(x) overflows, its logarithm
// did, and the hyperbolic tangent is 1 all the same. Guards:
//   - The type is a float of at least 16 bits.
//   - No number has more dimensions than x.
//   - Nobody else reads a part.
//
// Each firing removes all parts but one; no rule takes a Mish apart.
#include <optional>

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

Pattern Parts() {
  const Pattern x = Any().Capture("x");
  const Pattern logarithm = Op(OpCode::kLog).Input(0, Sum(Op(OpCode::kExp).Input(0, x), Number(1)));
  const Pattern soft_plus = AnyOf({Op(OpCode::kSoftPlus).Input(0, x), logarithm});
  return Product(x, Op(OpCode::kTanh).Input(0, soft_plus));
}

}  // namespace

absl::StatusOr<std::optional<ir::Patch>> FuseMish(const ir::Model& model, ir::NodeId id,
                                                  const ir::PassContext& context) {
  static const auto* const parts = new Pattern(Parts());
  const std::optional<Match> match = MatchAt(*parts, model, id, context);
  if (!match.has_value()) return std::nullopt;
  return ReplaceFormula(*match, id, ir::MishOp(), context);
}

}  // namespace burin::transformations
