// x * 1, 1 * x, x / 1, x ^ 1, x + 0, 0 + x, x - 0 => x, where that is exact for every x.
//
// Exact for floats are x + -0 and x - 0; x + 0 and x - -0 make 0 of -0, so that they go only where x is never -0. The
// neutral operand may be any constant full of it that does not change the shape of x. NaN stays NaN. The formats of 8
// bits and less stay: arithmetic makes finite numbers of their infinities.
//
// Each firing removes one node.
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "ir/infer_context.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/ops/family/broadcast_rule.h"
#include "ir/ops/op_code.h"
#include "ir/partial_shape.h"
#include "ir/rewrite.h"
#include "transformations/cleanup/elementwise_rule.h"
#include "transformations/matcher/match.h"
#include "transformations/matcher/matcher.h"
#include "transformations/matcher/pattern.h"
#include "transformations/passes.h"

namespace burin::transformations {
namespace {

using ir::OpCode;

bool IsExactType(const ir::Model& model, ir::Value value) {
  const ElementType type = model.info(value).type;
  return IsInteger(type) || (IsFloat(type) && BitWidth(type) >= 16);
}

bool IsNeverMinusZero(const ir::Model& model, ir::Value value) {
  const ElementType type = model.info(value).type;
  if (!IsFloat(type)) return true;
  const ir::Node& node = model.node(value.node);
  switch (node.code()) {
    case OpCode::kConvert:
      return !IsFloat(model.info(node.input(0)).type);
    case OpCode::kAbs:
    case OpCode::kExp:
    case OpCode::kSigmoid:
    case OpCode::kSoftmax:
      return true;
    default:
      return false;
  }
}

// Returns whether `data` is of its own shape after broadcasting with `other`, whose shape is static.
bool KeepsShape(const ir::BroadcastRule& rule, const ir::PartialShape& data, const ir::PartialShape& other) {
  if (rule.mode == ir::AutoBroadcast::kNone || other.rank() == 0) return true;
  if (!data.has_rank() || other.rank() > data.rank()) return false;
  for (int64_t d = 0; d < other.rank(); ++d) {
    if (other[d] == ir::Dimension(1)) continue;
    // Elsewhere the axis says which dimension of the data stands against this one.
    if (rule.mode != ir::AutoBroadcast::kNumpy) return false;
    if (!other[d].MustEqual(data[data.rank() - other.rank() + d])) return false;
  }
  return true;
}

// Matches an operation on "x" and a neutral constant that keeps the shape of x.
Pattern With(OpCode code, const Pattern& x, const Pattern& neutral) {
  Pattern op = Op(code);
  if (code == OpCode::kAdd || code == OpCode::kMultiply) op = op.Commutative();
  return op.Where("has an exact type", &IsExactType)
      .Input(0, x.Capture("x"))
      .Input(1, neutral.Capture("neutral"))
      .WhereMatch("keeps the shape of 'x'", [](const Match& match, ir::Value value) {
        const ir::BroadcastRule* const rule = BroadcastRuleOf(match.model().node(value.node));
        return rule != nullptr && KeepsShape(*rule, match.info("x").shape, match.info("neutral").shape);
      });
}

const Pattern& Identities() {
  static const auto* const identities = [] {
    const Pattern one = ConstantFilledWith(1);
    const Pattern zero = ConstantFilledWith(0.0);
    const Pattern minus_zero = ConstantFilledWith(-0.0);
    const Pattern unsigned_zero = Any().Where("is never -0", &IsNeverMinusZero);
    return new Pattern(AnyOf({
        With(OpCode::kMultiply, Any(), one),
        With(OpCode::kDivide, Any(), one),
        With(OpCode::kPower, Any(), one),
        With(OpCode::kAdd, Any(), minus_zero),
        With(OpCode::kAdd, unsigned_zero, zero),
        With(OpCode::kSubtract, Any(), zero),
        With(OpCode::kSubtract, unsigned_zero, minus_zero),
    }));
  }();
  return *identities;
}

}  // namespace

absl::StatusOr<std::optional<ir::Patch>> ArithmeticIdentities(const ir::Model& model, ir::NodeId node,
                                                              const ir::PassContext& context) {
  const std::optional<Match> match = MatchAt(Identities(), model, node, context);
  if (!match.has_value()) return std::nullopt;
  ir::Patch patch(model);
  patch.Replace(ir::Value{node, 0}, match->value("x"));
  return patch;
}

}  // namespace burin::transformations
