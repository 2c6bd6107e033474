// Selu(x, alpha, lambda) => lambda * Select(x > 0, x, alpha * Elu(x)), where alpha or lambda is not constant
//
// Elu(x) is exp(x) - 1 there, without cancellation.
#include <cstdint>
#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "base/status_macros.h"
#include "ir/model.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/rewrite.h"
#include "snippets/decompose/constant_input.h"
#include "snippets/decompose/formula.h"
#include "snippets/decompose/rules.h"

namespace burin::snippets {

absl::StatusOr<std::optional<ir::Patch>> DecomposeSelu(const ir::Model& model, ir::NodeId id, const ir::PassContext&) {
  const ir::Node& node = model.node(id);
  if (node.code() != ir::OpCode::kSelu) return std::nullopt;
  if (IsConstant(model, node, 1) && IsConstant(model, node, 2)) return std::nullopt;
  Formula f(model, node);
  ir::Value scalars[2];
  for (const int64_t i : {1, 2}) {
    BURIN_ASSIGN_OR_RETURN(const int64_t rank, KnownRank(model, node.input(i), node));
    // A list of one element would give a scalar x another rank.
    const ir::Value scalar = rank == 0 ? node.input(i) : f.Squeeze(node.input(i), {0});
    scalars[i - 1] = f.Widen(scalar);
  }
  const ir::Value x = f.Input(0);
  const ir::Value positive = f.Apply(ir::GreaterOp(), {x, f.Number(0)});
  const ir::Value negative_part = f.Apply(ir::MultiplyOp(), {scalars[0], f.Apply(ir::EluOp(), {x})});
  const ir::Value chosen = f.Apply(ir::SelectOp(), {positive, x, negative_part});
  return std::move(f).ReplaceWith(f.Apply(ir::MultiplyOp(), {scalars[1], chosen}));
}

}  // namespace burin::snippets
