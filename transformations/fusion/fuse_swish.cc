// The parts of Swish => Swish(x), or Swish(x, beta) for another number than 1:
//
//   x * Sigmoid(x), and x * Sigmoid(beta * x), and x / (1 + Exp(-x)), and x / (1 + Exp(-beta * x))
//
// What rounds: each part did; a 1 may be off by 4 units of the last place. Guards:
//   - The type is a float of at least 16 bits; beta is finite.
//   - No number has more dimensions than x.
//   - Nobody else reads a part: where a gate is read elsewhere, it is computed anyway.
//
// Each firing removes all parts but one; no rule takes a Swish apart.
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/element_access.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/model.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/rewrite.h"
#include "ir/tensor.h"
#include "transformations/fusion/formula.h"
#include "transformations/matcher/explain.h"
#include "transformations/matcher/match.h"
#include "transformations/matcher/matcher.h"
#include "transformations/matcher/pattern.h"
#include "transformations/passes.h"

namespace burin::transformations {
namespace {

using ir::OpCode;

Pattern Parts() {
  const Pattern x = Any().Capture("x");
  const Pattern scaled = Product(x, AnyNumber().Capture("beta"));
  const Pattern minus_scaled = Product(x, AnyNumber().Capture("minus beta"));
  const Pattern gate = Op(OpCode::kSigmoid).Input(0, AnyOf({x, scaled}));
  const Pattern exponent = AnyOf({Negated(x), Negated(scaled), minus_scaled});
  return AnyOf({Product(x, gate), Quotient(x, Sum(Op(OpCode::kExp).Input(0, exponent), Number(1)))});
}

}  // namespace

absl::StatusOr<std::optional<ir::Patch>> FuseSwish(const ir::Model& model, ir::NodeId id,
                                                   const ir::PassContext& context) {
  static const auto* const parts = new Pattern(Parts());
  const std::optional<Match> match = MatchAt(*parts, model, id, context);
  if (!match.has_value()) return std::nullopt;
  if (!MayReplace(*match, id, context)) return std::nullopt;
  double beta = 1;
  if (match->has("beta")) beta = NumberOf(model, match->value("beta")).value();
  if (match->has("minus beta")) beta = -NumberOf(model, match->value("minus beta")).value();
  if (!std::isfinite(beta)) return Decline(context, id, "beta is not finite");
  ir::Patch patch(model);
  std::vector<ir::Value> inputs = {match->value("x")};
  if (beta != 1) {
    const ElementType type = match->info("x").type;
    BURIN_ASSIGN_OR_RETURN(ir::Tensor number, ir::Tensor::Create(type, {}));
    StoreFromDouble(type, number.mutable_data(), 0, beta);
    inputs.push_back(patch.AddConstant(std::move(number)));
  }
  patch.Replace(ir::Value{id, 0}, patch.Add(ir::SwishOp(), std::move(inputs)));
  return patch;
}

}  // namespace burin::transformations
