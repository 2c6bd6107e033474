#include "transformations/fuzz/perturbed_run.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "base/element_access.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/evaluator.h"
#include "ir/op_def.h"
#include "ir/ops/op_code.h"
#include "ir/reference_context.h"
#include "ir/tolerance.h"
#include "transformations/fuzz/node_evaluation.h"
#include "transformations/fuzz/result_comparison.h"

namespace burin::transformations {
namespace {

using ir::Tensor;

absl::StatusOr<Tensor> Perturbed(const Tensor& tensor, double units, std::mt19937_64& random) {
  const ElementType type = tensor.element_type();
  BURIN_ASSIGN_OR_RETURN(const Tensor copy, tensor.Copy());
  if (!IsFloat(type)) return copy;
  const double step = units * UnitOf(type);
  for (int64_t i = 0; i < copy.element_count(); ++i) {
    const double d = (static_cast<double>(random() >> 11) * 0x1p-52 - 1) * step;
    StoreFromDouble(type, copy.mutable_data(), i, LoadAsDouble(type, copy.data(), i) * (1 + d));
  }
  return copy;
}

// Returns whether a pass may round otherwise what the node gives: what it computes, or what arithmetic on a constant
// puts in its place.
bool Rounds(const ir::Node& node) {
  return node.op().tolerance != ir::ToleranceClass::kExact || node.op().bodies != 0 ||
         node.code() == ir::OpCode::kConstant;
}

// Evaluates the model once. Reads variables from `now`, and leaves in `next` what is assigned.
absl::StatusOr<std::vector<Tensor>> RunOnce(const ir::Model& model, const std::vector<Tensor>& inputs, double units,
                                            std::mt19937_64& random, ir::VariableStore* now, ir::VariableStore* next) {
  BURIN_ASSIGN_OR_RETURN(const std::vector<ir::NodeId> order, model.TopologicalOrder());
  absl::flat_hash_map<ir::Value, Tensor> values;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const ir::Value value{model.parameters()[i], 0};
    BURIN_ASSIGN_OR_RETURN(values[value], Perturbed(inputs[i], units, random));
  }
  for (const ir::NodeId id : order) {
    const ir::Node& node = model.node(id);
    if (node.code() == ir::OpCode::kParameter) continue;
    std::vector<Tensor> operands;
    for (const ir::Value input : node.inputs()) operands.push_back(input.exists() ? values[input] : Tensor());
    ir::VariableStore* const variables = node.code() == ir::OpCode::kAssign ? next : now;
    BURIN_ASSIGN_OR_RETURN(const std::vector<Tensor> outputs, EvaluateNode(node, operands, variables));
    const double node_units = Rounds(node) ? units : 0;
    for (size_t i = 0; i < outputs.size(); ++i) {
      const ir::Value value{id, static_cast<int32_t>(i)};
      BURIN_ASSIGN_OR_RETURN(values[value], Perturbed(outputs[i], node_units, random));
    }
  }
  std::vector<Tensor> results;
  for (const ir::NodeId id : model.results()) results.push_back(values[ir::Value{id, 0}]);
  return results;
}

}  // namespace

absl::StatusOr<RunSeries> PerturbedRun(const ir::Model& model, const RunSeries& inputs, double units,
                                       std::mt19937_64& random) {
  RunSeries outputs;
  ir::MapVariableStore now;
  for (const std::vector<Tensor>& once : inputs) {
    ir::MapVariableStore next = now;
    BURIN_ASSIGN_OR_RETURN(std::vector<Tensor> results, RunOnce(model, once, units, random, &now, &next));
    outputs.push_back(std::move(results));
    now = std::move(next);
  }
  return outputs;
}

}  // namespace burin::transformations
