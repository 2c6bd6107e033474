// The parts of Softmax => Softmax(x):
//
//   e / ReduceSum(e, axis), e = Exp(x - ReduceMax(x, axis)) or Exp(x)
//
// The division may be a product with 1 / sum. What rounds: each part did. Without the maximum Exp(x) may overflow, or
// vanish for all of a slice, where the Softmax does not: the parts give NaN there. Guards:
//   - The type is a float of at least 16 bits.
//   - Both reductions run along the same one axis, which is known, and keep it with size 1.
//   - Nobody else reads a part.
//
// Each firing removes all parts but one; no rule takes a Softmax apart.
#include "ir/ops/softmax.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/model.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/rewrite.h"
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
  const Pattern shifted = Op(OpCode::kSubtract).Input(0, x).Input(1, Reduced(OpCode::kReduceMax, x, "axis of max"));
  const Pattern exponential = Op(OpCode::kExp).Input(0, AnyOf({shifted, x})).Capture("e");
  const Pattern sum = Reduced(OpCode::kReduceSum, exponential, "axis");
  return AnyOf({Quotient(exponential, sum), Product(exponential, Reciprocal(sum))});
}

}  // namespace

absl::StatusOr<std::optional<ir::Patch>> FuseSoftmax(const ir::Model& model, ir::NodeId id,
                                                     const ir::PassContext& context) {
  static const auto* const parts = new Pattern(Parts());
  const std::optional<Match> match = MatchAt(*parts, model, id, context);
  if (!match.has_value()) return std::nullopt;
  const std::optional<std::vector<int64_t>> axes = AxesOf(*match, "axis");
  if (!axes.has_value() || axes->size() != 1) return Decline(context, id, "the sum is not one along one known axis");
  if (match->has("axis of max") && AxesOf(*match, "axis of max") != axes) {
    return Decline(context, id, "the maximum may be one along another axis");
  }
  auto attributes = std::make_unique<ir::SoftmaxAttributes>();
  attributes->axis = axes->front();
  return ReplaceFormula(*match, id, ir::SoftmaxOp(), context, std::move(attributes));
}

}  // namespace burin::transformations
