// The parts of HSwish => HSwish(x):
//
//   x * Clamp(x + 3, 0, 6) / 6, and x * Clamp(x / 6 + 0.5, 0, 1), and x * HSigmoid(x)
//
// The products are in any order and association, and the clamp may be a minimum and a maximum. What rounds: each part
// did; numbers of the formula may be off by 4 units of the last place. Guards:
//   - The type is a float of at least 16 bits.
//   - No number has more dimensions than x.
//   - Nobody else reads a part.
//
// Each firing removes all parts but one; no rule takes an HSwish apart.
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

Pattern Parts() {
  const Pattern x = Any().Capture("x");
  return AnyOf({ScaledProduct(x, Clamped(Sum(x, Number(3)), 0, 6), 1.0 / 6),
                Product(x, Clamped(Sum(Scaled(x, 1.0 / 6), Number(0.5)), 0, 1)),
                Product(x, Op(ir::OpCode::kHSigmoid).Input(0, x))});
}

}  // namespace

absl::StatusOr<std::optional<ir::Patch>> FuseHSwish(const ir::Model& model, ir::NodeId id,
                                                    const ir::PassContext& context) {
  static const auto* const parts = new Pattern(Parts());
  const std::optional<Match> match = MatchAt(*parts, model, id, context);
  if (!match.has_value()) return std::nullopt;
  return ReplaceFormula(*match, id, ir::HSwishOp(), context);
}

}  // namespace burin::transformations
