// f(constants) => constant, computed by f's reference, where the result has no more elements than an input
//
// What decompositions make of constants (a scale per channel, a shape for it) is computed once. A broadcast stays: the
// kernel repeats elements better than memory does.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/status_macros.h"
#include "ir/evaluate_op.h"
#include "ir/infer_context.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/ops/op_code.h"
#include "ir/rewrite.h"
#include "ir/tensor.h"
#include "snippets/decompose/rules.h"

namespace burin::snippets {

absl::StatusOr<std::optional<ir::Patch>> FoldBodyConstants(const ir::Model& model, ir::NodeId id,
                                                           const ir::PassContext&) {
  const ir::Node& node = model.node(id);
  const bool is_function = !node.inputs().empty() && node.output_count() == 1 && node.bodies().empty() &&
                           !node.op().Has(ir::kImpure) && node.code() != ir::OpCode::kResult;
  if (!is_function || !node.output(0).shape.is_static()) return std::nullopt;
  std::vector<ir::Tensor> inputs;
  int64_t largest = 0;
  for (const ir::Value& input : node.inputs()) {
    // One that inference knows without a Constant (a size) is no reason to make one.
    if (!input.exists() || model.node(input.node).code() != ir::OpCode::kConstant) return std::nullopt;
    inputs.push_back(model.info(input).constant);
    largest = std::max(largest, inputs.back().element_count());
  }
  if (node.output(0).shape.ElementCount().value() > largest) return std::nullopt;
  BURIN_ASSIGN_OR_RETURN(std::vector<ir::Tensor> outputs, ir::EvaluateOp(node.op(), node.attributes(), inputs));
  ir::Patch patch(model);
  patch.Replace(ir::Value{id, 0}, patch.AddConstant(std::move(outputs[0])));
  return patch;
}

}  // namespace burin::snippets
