// PRelu(x, slope of shape [C]) => PRelu(x, slope of shape [C, 1, ...]), where slope runs along dimension 1 of x
//
// Under NumPy's rule, by which kernels broadcast, it would run along the last. Where the sizes do not say which of the
// two it is, there is no kernel.
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/model.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/rewrite.h"
#include "snippets/decompose/constant_input.h"
#include "snippets/decompose/formula.h"
#include "snippets/decompose/rules.h"

namespace burin::snippets {

absl::StatusOr<std::optional<ir::Patch>> DecomposePRelu(const ir::Model& model, ir::NodeId id, const ir::PassContext&) {
  const ir::Node& node = model.node(id);
  if (node.code() != ir::OpCode::kPRelu) return std::nullopt;
  BURIN_ASSIGN_OR_RETURN(const int64_t rank, KnownRank(model, node.input(0), node));
  BURIN_ASSIGN_OR_RETURN(const int64_t slope_rank, KnownRank(model, node.input(1), node));
  // Dimension 1 of a matrix is its last.
  if (slope_rank != 1 || rank < 3) return std::nullopt;
  const ir::Dimension& channels = model.info(node.input(0)).shape[1];
  const ir::Dimension& last = model.info(node.input(0)).shape[rank - 1];
  const ir::Dimension& slopes = model.info(node.input(1)).shape[0];
  if (slopes == ir::Dimension(1) || !channels.MayEqual(slopes)) return std::nullopt;
  const bool is_per_channel = channels.MustEqual(slopes) || (!last.MayEqual(slopes) && !slopes.Contains(1));
  if (!is_per_channel) return CannotDecompose("It is not known which dimension the slope runs along", node);
  std::vector<int64_t> inner;
  for (int64_t axis = 1; axis < rank - 1; ++axis) inner.push_back(axis);
  Formula f(model, node);
  const ir::Value slope = f.Unsqueeze(node.input(1), inner);
  return std::move(f).ReplaceWithFinished(f.Apply(ir::PReluOp(), {node.input(0), slope}));
}

}  // namespace burin::snippets
