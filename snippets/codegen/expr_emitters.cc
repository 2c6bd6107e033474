#include "snippets/codegen/expr_emitters.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "snippets/codegen/op_emitter.h"
#include "snippets/linear/linear_ir.h"

namespace burin::snippets {

absl::StatusOr<ExprEmitters> FindExprEmitters(const LinearIr& ir) {
  std::vector<std::optional<uint32_t>> constants(ir.values.size());
  for (const LinearExpr& expr : ir.exprs) {
    if (expr.op == LinearOp::kConstant) constants[static_cast<size_t>(expr.output)] = expr.bits;
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
    BURIN_ASSIGN_OR_RETURN(emitters[i], EmitterOf(*expr.compute, *expr.attributes, signature));
  }
  return emitters;
}

}  // namespace burin::snippets
