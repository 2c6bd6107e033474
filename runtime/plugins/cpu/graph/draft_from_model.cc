#include "runtime/plugins/cpu/graph/draft_from_model.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/op_code.h"

namespace burin::cpu {

namespace {

ir::Cost CostOfNode(const ir::Model& model, const ir::Node& node) {
  std::vector<const ir::ValueInfo*> inputs;
  for (const ir::Value& input : node.inputs()) inputs.push_back(input.exists() ? &model.info(input) : nullptr);
  return ir::CostOf(node.op(), ir::CostContext(node.attributes(), inputs, node.outputs(), node.bodies()));
}

// Returns whether inference tells all that the node would compute: of constants, and of what follows from shapes.
bool IsKnown(const ir::Node& node) {
  return std::all_of(node.outputs().begin(), node.outputs().end(),
                     [](const ir::ValueInfo& info) { return info.constant.has_value(); });
}

}  // namespace

absl::StatusOr<GraphDraft> DraftFromModel(const ir::Model& model) {
  GraphDraft draft;
  const std::vector<ir::NodeId> ids = model.NodeIds();
  absl::flat_hash_map<ir::Value, int> number;
  for (const ir::NodeId id : ids) {
    const ir::Node& node = model.node(id);
    for (int32_t i = 0; i < static_cast<int32_t>(node.output_count()); ++i) {
      const ir::ValueInfo& info = node.output(i);
      if (info.shape.is_dynamic()) {
        return absl::FailedPreconditionError(
            absl::StrCat("Node ", node.name(), ": the shape is dynamic: ", info.shape.ToString()));
      }
      number[{id, i}] = static_cast<int>(draft.values.size());
      GraphValue& value = draft.values.emplace_back();
      value.desc = {info.type, info.shape.ToShape(), Layout::kRowMajor};
      if (IsKnown(node)) value.constant = info.constant;
    }
  }
  for (size_t i = 0; i < model.parameters().size(); ++i) {
    const int value = number[{model.parameters()[i], 0}];
    draft.values[value].parameter = static_cast<int>(i);
    draft.parameters.push_back(value);
  }
  for (const ir::NodeId result : model.results()) draft.results.push_back(number[model.node(result).input(0)]);

  for (const ir::NodeId id : ids) {
    const ir::Node& node = model.node(id);
    const ir::OpCode code = node.code();
    if (code == ir::OpCode::kConstant || code == ir::OpCode::kParameter || code == ir::OpCode::kResult) continue;
    if (IsKnown(node)) continue;
    GraphStep& step = draft.steps.emplace_back();
    step.origin = &node;
    step.name = node.name();
    step.op_names = node.original_names();
    for (const ir::Value& input : node.inputs()) step.inputs.push_back(input.exists() ? number[input] : -1);
    for (int32_t i = 0; i < static_cast<int32_t>(node.output_count()); ++i) step.outputs.push_back(number[{id, i}]);
    step.memory.resize(step.outputs.size());
    step.cost = CostOfNode(model, node);
  }
  return draft;
}

}  // namespace burin::cpu
