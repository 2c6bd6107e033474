// Swish(x, beta) => x * Sigmoid(beta * x), where beta is there and not constant
#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "base/status_macros.h"
#include "ir/model.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/rewrite.h"
#include "snippets/decompose/constant_input.h"
#include "snippets/decompose/formula.h"
#include "snippets/decompose/rules.h"

namespace burin::snippets {

absl::StatusOr<std::optional<ir::Patch>> DecomposeSwish(const ir::Model& model, ir::NodeId id, const ir::PassContext&) {
  const ir::Node& node = model.node(id);
  if (node.code() != ir::OpCode::kSwish) return std::nullopt;
  if (node.input_count() < 2 || IsConstant(model, node, 1)) return std::nullopt;
  Formula f(model, node);
  const ir::Value x = f.Input(0);
  const ir::Value gate = f.Apply(ir::SigmoidOp(), {f.Apply(ir::MultiplyOp(), {f.Input(1), x})});
  return std::move(f).ReplaceWith(f.Apply(ir::MultiplyOp(), {x, gate}));
}

}  // namespace burin::snippets
