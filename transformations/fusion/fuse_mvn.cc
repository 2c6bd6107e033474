// The parts of a normalisation by mean and variance => MVN(x):
//
//   d / Sqrt(v + eps), or d / (Sqrt(v) + eps), where d = x - ReduceMean(x, axes), v = ReduceMean(d * d, axes)
//
// The square may be a power or the SquaredDifference of x and its mean, the division a product with the reciprocal or
// with a power of -1/2. What rounds: each part did; numbers of the formula may be off by 4 units of the last place.
// Guards:
//   - The type is a float of at least 16 bits; eps is finite and not negative.
//   - Both means are of the same axes, which are known, and keep them with size 1.
//   - No number has more dimensions than x.
//   - Nobody else reads a part.
//
// Each firing removes all parts but one; no rule takes an MVN apart.
#include "ir/ops/mvn.h"

#include <cmath>
#include <cstdint>
#include <memory>
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
#include "transformations/fusion/reduced.h"
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
  const Pattern mean = Reduced(OpCode::kReduceMean, x, "axes").Capture("mean");
  // Equal nodes are one only once they have been merged.
  const Pattern other_mean = Reduced(OpCode::kReduceMean, x, "axes of other mean");
  const Pattern centred = Op(OpCode::kSubtract).Input(0, x).Input(1, mean).Capture("d");
  const Pattern other = Op(OpCode::kSubtract).Input(0, x).Input(1, other_mean).Capture("other d");
  const Pattern difference = Op(OpCode::kSquaredDifference).Input(0, x).Input(1, other_mean).Commutative();
  const Pattern square = AnyOf({Square(centred), Square(other), difference});
  const Pattern variance = Reduced(OpCode::kReduceMean, square, "axes of variance");
  const Pattern eps = AnyNumber().Capture("eps");
  const Pattern inside = Sum(variance, eps);
  const Pattern outside = Sum(Root(variance), eps).Capture("outside");
  const Pattern divisor = AnyOf({Root(inside), outside});
  const Pattern reciprocal = AnyOf({Reciprocal(divisor), Op(OpCode::kPower).Input(0, inside).Input(1, Number(-0.5))});
  return AnyOf({Quotient(centred, divisor), Product(centred, reciprocal)});
}

}  // namespace

absl::StatusOr<std::optional<ir::Patch>> FuseMvn(const ir::Model& model, ir::NodeId id,
                                                 const ir::PassContext& context) {
  static const auto* const parts = new Pattern(Parts());
  const std::optional<Match> match = MatchAt(*parts, model, id, context);
  if (!match.has_value()) return std::nullopt;
  const std::optional<std::vector<int64_t>> axes = AxesOf(*match, "axes");
  if (!axes.has_value()) return Decline(context, id, "the axes are not known");
  for (const char* const other : {"axes of other mean", "axes of variance"}) {
    if (match->has(other) && AxesOf(*match, other) != axes) {
      return Decline(context, id, "mean and variance may be of different axes");
    }
  }
  const double eps = NumberOf(model, match->value("eps")).value();
  if (!(eps >= 0) || std::isinf(eps)) return Decline(context, id, "eps is negative or not finite");
  if (!MayReplace(*match, id, context)) return std::nullopt;
  BURIN_ASSIGN_OR_RETURN(ir::Tensor list, ir::Tensor::Create(ElementType::kI64, {static_cast<int64_t>(axes->size())}));
  StoreRangeFromInt64(ElementType::kI64, list.mutable_data(), 0, list.element_count(), axes->data());
  auto attributes = std::make_unique<ir::MVNAttributes>();
  attributes->eps = eps;
  attributes->eps_mode = match->has("outside") ? ir::MVNEpsMode::kOutsideSqrt : ir::MVNEpsMode::kInsideSqrt;
  ir::Patch patch(model);
  const ir::Value constant = patch.AddConstant(std::move(list));
  patch.Replace(ir::Value{id, 0}, patch.Add(ir::MVNOp(), {match->value("x"), constant}, std::move(attributes)));
  return patch;
}

}  // namespace burin::transformations
