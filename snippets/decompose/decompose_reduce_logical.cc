// ReduceLogicalAnd(x) => ReduceMin of x as u8; ReduceLogicalOr(x) => ReduceMax of x as u8; each back to boolean
//
// Of no elements the least u8 is 255, which is true, and the greatest 0, which is false, as the definition has it.
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/model.h"
#include "ir/ops/family/reduction.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/rewrite.h"
#include "snippets/decompose/constant_input.h"
#include "snippets/decompose/formula.h"
#include "snippets/decompose/rules.h"

namespace burin::snippets {

absl::StatusOr<std::optional<ir::Patch>> DecomposeReduceLogical(const ir::Model& model, ir::NodeId id,
                                                                const ir::PassContext&) {
  const ir::Node& node = model.node(id);
  const bool all = node.code() == ir::OpCode::kReduceLogicalAnd;
  if (!all && node.code() != ir::OpCode::kReduceLogicalOr) return std::nullopt;
  BURIN_ASSIGN_OR_RETURN(const std::vector<int64_t> axes, ConstantAxes(model, node));
  Formula f(model, node);
  const ir::Value x = f.Convert(f.Input(0), ElementType::kBoolean, ElementType::kU8);
  const ir::Value reduced = f.Reduce(all ? ir::ReduceMinOp() : ir::ReduceMaxOp(), x, axes);
  ir::Value result = f.Convert(reduced, ElementType::kU8, ElementType::kBoolean);
  if (!node.attributes_as<ir::ReductionAttributes>().keep_dims) result = f.Squeeze(result, axes);
  return std::move(f).ReplaceWith(result);
}

}  // namespace burin::snippets
