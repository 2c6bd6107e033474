#include "snippets/codegen/expr_emitters.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "snippets/codegen/ops/op_emitter.h"
#include "snippets/codegen/ops/wide_op_emitter.h"
#include "snippets/linear/lane.h"
#include "snippets/linear/linear_ir.h"

namespace burin::snippets {

namespace {

// Refuses to convert between memory and lanes of another width, and what has no lanes.
absl::Status CheckAccess(const LinearIr& ir, const LinearExpr& expr) {
  if (expr.op != LinearOp::kLoad && expr.op != LinearOp::kStore) return absl::OkStatus();
  const ValueId id = expr.op == LinearOp::kLoad ? expr.output : expr.inputs.front();
  const ElementType in_lanes = ir.values[static_cast<size_t>(id)].type;
  const ElementType in_memory = ir.operands[static_cast<size_t>(expr.operand)].type;
  const bool is_same = in_lanes == in_memory || !(IsWide(in_lanes) || IsWide(in_memory));
  if (LaneOf(in_lanes).has_value() && is_same) return absl::OkStatus();
  return absl::UnimplementedError(
      absl::StrCat("Elements of type ", Name(in_memory), " in memory of a value of type ", Name(in_lanes)));
}

}  // namespace

absl::StatusOr<ExprEmitters> FindExprEmitters(const LinearIr& ir) {
  std::vector<std::optional<uint32_t>> constants(ir.values.size());
  for (const LinearExpr& expr : ir.exprs) {
    BURIN_RETURN_IF_ERROR(CheckAccess(ir, expr));
    if (expr.op != LinearOp::kConstant || IsWide(ir.values[static_cast<size_t>(expr.output)].type)) continue;
    constants[static_cast<size_t>(expr.output)] = static_cast<uint32_t>(expr.bits);
  }
  ExprEmitters emitters(ir.exprs.size());
  for (size_t i = 0; i < ir.exprs.size(); ++i) {
    const LinearExpr& expr = ir.exprs[i];
    if (expr.op != LinearOp::kCompute) continue;
    std::vector<ElementType> types;
    std::vector<std::optional<uint32_t>> known;
    for (const ValueId input : expr.inputs) {
      types.push_back(ir.values[static_cast<size_t>(input)].type);
      known.push_back(constants[static_cast<size_t>(input)]);
    }
    const OpSignature signature = {types, known, ir.values[static_cast<size_t>(expr.output)].type};
    if (IsWideOp(signature)) {
      BURIN_ASSIGN_OR_RETURN(emitters[i], WideEmitterOf(*expr.compute, *expr.attributes, signature));
    } else {
      BURIN_ASSIGN_OR_RETURN(emitters[i], EmitterOf(*expr.compute, *expr.attributes, signature));
    }
  }
  return emitters;
}

}  // namespace burin::snippets
