// NormalizeL2(x) => x * (1 / Sqrt(ReduceSum(x * x) + eps)), or with Maximum in place of the sum (eps_mode max)
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/status_macros.h"
#include "ir/model.h"
#include "ir/ops/normalize_l2.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/rewrite.h"
#include "snippets/decompose/constant_input.h"
#include "snippets/decompose/formula.h"
#include "snippets/decompose/rules.h"

namespace burin::snippets {

absl::StatusOr<std::optional<ir::Patch>> DecomposeNormalizeL2(const ir::Model& model, ir::NodeId id,
                                                              const ir::PassContext&) {
  const ir::Node& node = model.node(id);
  if (node.code() != ir::OpCode::kNormalizeL2) return std::nullopt;
  BURIN_ASSIGN_OR_RETURN(const std::vector<int64_t> axes, ConstantAxes(model, node));
  const auto& attributes = node.attributes_as<ir::NormalizeL2Attributes>();
  Formula f(model, node);
  const ir::Value x = f.Input(0);
  const ir::Value sum = f.Reduce(ir::ReduceSumOp(), f.Apply(ir::MultiplyOp(), {x, x}), axes);
  const bool adds = attributes.eps_mode == ir::NormalizeL2EpsMode::kAdd;
  const ir::Value kept = f.Apply(adds ? ir::AddOp() : ir::MaximumOp(), {sum, f.Epsilon(attributes.eps)});
  const ir::Value reciprocal = f.Apply(ir::DivideOp(), {f.Number(1), f.Apply(ir::SqrtOp(), {kept})});
  return std::move(f).ReplaceWith(f.Apply(ir::MultiplyOp(), {x, reciprocal}));
}

}  // namespace burin::snippets
