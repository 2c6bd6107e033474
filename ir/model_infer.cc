#include <algorithm>
#include <cstddef>
#include <functional>
#include <queue>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "base/status_context.h"
#include "base/status_macros.h"
#include "ir/evaluate_op.h"
#include "ir/model.h"
#include "ir/ops/ops.h"
#include "ir/ops/parameter.h"

namespace burin::ir {

absl::StatusOr<std::vector<ValueInfo>> Model::InferOutputs(const Node& node,
                                                           absl::FunctionRef<const ValueInfo&(Value)> info_of) {
  std::vector<const ValueInfo*> inputs;
  inputs.reserve(node.inputs_.size());
  for (const Value& input : node.inputs_) inputs.push_back(input.exists() ? &info_of(input) : nullptr);
  absl::StatusOr<std::vector<ValueInfo>> outputs = InferOp(*node.op_, *node.attributes_, inputs, node.bodies_);
  if (!outputs.ok()) {
    return WithContext(outputs.status(), absl::StrCat("Node '", node.name_, "' (", node.op_->name, ")"));
  }
  // A variable number of outputs may shrink only as far as nobody reads them.
  if (!node.uses_.empty() && node.uses_.rbegin()->first >= static_cast<int64_t>(outputs->size())) {
    return absl::InvalidArgumentError(
        absl::StrCat("Node '", node.name_, "' (", node.op_->name,
                     "): An output that is read disappears: ", node.uses_.rbegin()->first));
  }
  return outputs;
}

absl::StatusOr<std::vector<std::vector<ValueInfo>>> Model::InferTable(
    const absl::flat_hash_map<NodeId, const ValueInfo*>& given) const {
  BURIN_ASSIGN_OR_RETURN(const std::vector<NodeId> order, TopologicalOrder());
  std::vector<std::vector<ValueInfo>> table(nodes_.size());
  const auto info_of = [&table](Value value) -> const ValueInfo& {
    return table[static_cast<size_t>(Index(value.node))][static_cast<size_t>(value.output)];
  };
  for (const NodeId id : order) {
    std::vector<ValueInfo>& outputs = table[static_cast<size_t>(Index(id))];
    if (const auto it = given.find(id); it != given.end()) {
      outputs = {*it->second};
    } else {
      BURIN_ASSIGN_OR_RETURN(outputs, InferOutputs(node(id), info_of));
    }
  }
  return table;
}

absl::StatusOr<std::vector<ValueInfo>> Model::InferResults(absl::Span<const ValueInfo* const> parameters) const {
  if (parameters.size() != parameters_.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("The graph has ", parameters_.size(), " parameters, not ", parameters.size()));
  }
  std::vector<ValueInfo> infos(parameters.size());
  absl::flat_hash_map<NodeId, const ValueInfo*> given;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const Node& parameter = node(parameters_[i]);
    const auto& declared = parameter.attributes_as<ParameterAttributes>();
    if (parameters[i] == nullptr) continue;
    if (parameters[i]->type != declared.element_type) {
      return absl::InvalidArgumentError(absl::StrCat("Parameter '", parameter.name(), "' has another element type: ",
                                                     Name(declared.element_type), ", not ", Name(parameters[i]->type)));
    }
    infos[i] = *parameters[i];
    // A symbol of the declaration means nothing outside of this graph.
    PartialShape nameless = declared.shape;
    for (int64_t j = 0; nameless.has_rank() && j < nameless.rank(); ++j) {
      nameless[j] = Dimension(nameless[j].min(), nameless[j].max());
    }
    absl::StatusOr<PartialShape> merged = Merge(parameters[i]->shape, nameless);
    if (!merged.ok()) {
      return WithContext(merged.status(), absl::StrCat("Parameter '", parameter.name(), "' has another shape"));
    }
    infos[i].shape = *std::move(merged);
    given[parameters_[i]] = &infos[i];
  }
  BURIN_ASSIGN_OR_RETURN(const std::vector<std::vector<ValueInfo>> table, InferTable(given));
  std::vector<ValueInfo> results;
  results.reserve(results_.size());
  for (const NodeId id : results_) results.push_back(table[static_cast<size_t>(Index(id))][0]);
  return results;
}

void Model::Record(std::vector<std::vector<ValueInfo>> table) {
  for (size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i] == nullptr) continue;
    nodes_[i]->outputs_ = std::move(table[i]);
    nodes_[i]->output_names_.resize(nodes_[i]->outputs_.size());
  }
}

absl::Status Model::InferAll() {
  BURIN_ASSIGN_OR_RETURN(std::vector<std::vector<ValueInfo>> table, InferTable({}));
  Record(std::move(table));
  return absl::OkStatus();
}

absl::Status Model::InferOnward(absl::Span<const NodeId> nodes, ReplacedOutputs* replaced) {
  BURIN_RETURN_IF_ERROR(RestoreRanks());
  // In order of rank, so that each node comes once, after all of its inputs that change.
  std::priority_queue<std::pair<int64_t, NodeId>, std::vector<std::pair<int64_t, NodeId>>, std::greater<>> queue;
  absl::flat_hash_set<NodeId> queued;
  const auto push = [this, &queue, &queued](NodeId id) {
    if (queued.insert(id).second) queue.push({node(id).rank_, id});
  };
  for (const NodeId id : nodes) push(id);
  while (!queue.empty()) {
    Node& at = mutable_node(queue.top().second);
    queue.pop();
    BURIN_ASSIGN_OR_RETURN(std::vector<ValueInfo> outputs,
                           InferOutputs(at, [this](Value value) -> const ValueInfo& { return info(value); }));
    if (outputs == at.outputs_) continue;
    replaced->emplace_back(at.id_, std::exchange(at.outputs_, std::move(outputs)));
    at.output_names_.resize(std::max(at.output_names_.size(), at.outputs_.size()));
    for (const auto& [output, use] : at.uses_) push(use.node);
  }
  return absl::OkStatus();
}

void Model::PutBack(ReplacedOutputs replaced) {
  for (auto& [id, outputs] : replaced) mutable_node(id).outputs_ = std::move(outputs);
}

absl::Status Model::InferFrom(absl::Span<const NodeId> nodes) {
  ReplacedOutputs replaced;
  const absl::Status status = InferOnward(nodes, &replaced);
  if (!status.ok()) PutBack(std::move(replaced));
  return status;
}

absl::Status Model::Reshape(const absl::flat_hash_map<int64_t, PartialShape>& shapes) {
  std::vector<std::pair<NodeId, std::unique_ptr<Attributes>>> attributes;
  std::vector<ValueInfo> infos;
  infos.reserve(shapes.size());  // So that the addresses below stay.
  absl::flat_hash_map<NodeId, const ValueInfo*> given;
  for (const auto& [position, shape] : shapes) {
    if (position < 0 || position >= static_cast<int64_t>(parameters_.size())) {
      return absl::InvalidArgumentError(absl::StrCat("No parameter has this position: ", position));
    }
    const Node& parameter = node(parameters_[static_cast<size_t>(position)]);
    auto changed = std::make_unique<ParameterAttributes>(parameter.attributes_as<ParameterAttributes>());
    changed->shape = shape;
    absl::StatusOr<std::vector<ValueInfo>> outputs = InferOp(ParameterOp(), *changed, {});
    if (!outputs.ok()) return WithContext(outputs.status(), absl::StrCat("Node '", parameter.name(), "' (Parameter)"));
    infos.push_back(std::move(outputs->front()));
    given[parameter.id()] = &infos.back();
    attributes.emplace_back(parameter.id(), std::move(changed));
  }
  BURIN_ASSIGN_OR_RETURN(std::vector<std::vector<ValueInfo>> table, InferTable(given));
  for (auto& [id, changed] : attributes) mutable_node(id).attributes_ = std::move(changed);
  Record(std::move(table));
  return absl::OkStatus();
}

}  // namespace burin::ir
