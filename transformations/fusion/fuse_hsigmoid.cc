// The parts of HSigmoid => HSigmoid(x):
//
//   Clamp(x + 3, 0, 6) / 6, and Clamp(x / 6 + 0.5, 0, 1), and HardSigmoid(x, 1 / 6, 0.5)
//
// The clamp may be a minimum and a maximum. What rounds: x / 6 + 0.5 did twice; numbers of the formula may be off by 4
// units of the last place. Guards:
//   - The type is a float of at least 16 bits.
//   - No number has more dimensions than x.
//   - Nobody else reads a part.
//
// Each firing removes all parts but one, or a HardSigmoid; no rule makes either of an HSigmoid.
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
  return AnyOf({Scaled(Clamped(Sum(x, Number(3)), 0, 6), 1.0 / 6), Clamped(Sum(Scaled(x, 1.0 / 6), Number(0.5)), 0, 1),
                Op(ir::OpCode::kHardSigmoid).Input(0, x).Input(1, Number(1.0 / 6)).Input(2, Number(0.5))});
}

}  // namespace

absl::StatusOr<std::optional<ir::Patch>> FuseHSigmoid(const ir::Model& model, ir::NodeId id,
                                                      const ir::PassContext& context) {
  static const auto* const parts = new Pattern(Parts());
  const std::optional<Match> match = MatchAt(*parts, model, id, context);
  if (!match.has_value()) return std::nullopt;
  return ReplaceFormula(*match, id, ir::HSigmoidOp(), context);
}

}  // namespace burin::transformations
