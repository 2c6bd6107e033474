// HardSigmoid(x, alpha, beta) => Maximum(0, Minimum(1, alpha * x + beta)), where alpha or beta is not constant
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

absl::StatusOr<std::optional<ir::Patch>> DecomposeHardSigmoid(const ir::Model& model, ir::NodeId id,
                                                              const ir::PassContext&) {
  const ir::Node& node = model.node(id);
  if (node.code() != ir::OpCode::kHardSigmoid) return std::nullopt;
  if (IsConstant(model, node, 1) && IsConstant(model, node, 2)) return std::nullopt;
  Formula f(model, node);
  const ir::Value product = f.Apply(ir::MultiplyOp(), {f.Input(1), f.Input(0)});
  const ir::Value line = f.Apply(ir::AddOp(), {product, f.Input(2)});
  const ir::Value below_one = f.Apply(ir::MinimumOp(), {f.Number(1), line});
  return std::move(f).ReplaceWith(f.Apply(ir::MaximumOp(), {f.Number(0), below_one}));
}

}  // namespace burin::snippets
