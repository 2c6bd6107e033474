// f(x, y) under pdpd => f(x, Unsqueeze(y)) under numpy
//
// The operand of lower rank gets the dimensions of extent 1 that it stands against, so that NumPy's rule aligns it as
// before; ones at its end that reach beyond the other operand go.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/status_macros.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/ops/family/broadcast_rule.h"
#include "ir/ops/op_code.h"
#include "ir/rewrite.h"
#include "snippets/decompose/broadcast_attribute.h"
#include "snippets/decompose/constant_input.h"
#include "snippets/decompose/formula.h"
#include "snippets/decompose/rules.h"

namespace burin::snippets {
namespace {

// Returns the operand of rank `own` as it stands against one of rank `rank` from dimension `axis` on.
ir::Value Aligned(Formula& f, ir::Value operand, int64_t own, int64_t rank, int64_t axis) {
  const int64_t beyond = axis + own - rank;
  std::vector<int64_t> axes;
  if (beyond > 0) {
    for (int64_t i = own - beyond; i < own; ++i) axes.push_back(i);
    return f.Squeeze(operand, axes);
  }
  for (int64_t i = own; i < rank - axis; ++i) axes.push_back(i);
  return f.Unsqueeze(operand, axes);
}

}  // namespace

absl::StatusOr<std::optional<ir::Patch>> NumpyBroadcast(const ir::Model& model, ir::NodeId id, const ir::PassContext&) {
  const ir::Node& node = model.node(id);
  if (!node.op().Has(ir::kElementwise)) return std::nullopt;
  const ir::BroadcastRule rule = BroadcastRuleOf(node);
  if (rule.mode != ir::AutoBroadcast::kPdpd) return std::nullopt;
  // Select aligns its branches with each other first, and both with the condition then.
  if (node.code() == ir::OpCode::kSelect) {
    const bool one_rank = model.info(node.input(1)).shape.rank() == model.info(node.input(2)).shape.rank();
    if (!one_rank) return CannotDecompose("Branches of different ranks under the rule pdpd", node);
  }
  int64_t rank = 0;
  std::vector<int64_t> ranks;
  for (const ir::Value& input : node.inputs()) {
    BURIN_ASSIGN_OR_RETURN(const int64_t own, KnownRank(model, input, node));
    ranks.push_back(own);
    rank = std::max(rank, own);
  }
  Formula f(model, node);
  std::vector<ir::Value> inputs;
  for (size_t i = 0; i < ranks.size(); ++i) {
    const ir::Value input = node.inputs()[i];
    const int64_t axis = rule.axis < 0 ? rank - ranks[i] : rule.axis;
    inputs.push_back(ranks[i] == rank ? input : Aligned(f, input, ranks[i], rank, axis));
  }
  return std::move(f).ReplaceWithFinished(f.Apply(node.op(), std::move(inputs), WithNumpyRule(node)));
}

}  // namespace burin::snippets
