#include "ir/rewrite.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "base/status_macros.h"
#include "ir/ops/constant.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"

namespace burin::ir {
namespace {

bool ExistsIn(const Model& model, Value value) {
  return model.Contains(value.node) && value.output >= 0 && value.output < model.node(value.node).output_count();
}

// Returns whether the node stays although nobody reads it.
bool IsRoot(const Node& node) {
  return node.code() == OpCode::kParameter || node.code() == OpCode::kResult || node.code() == OpCode::kAssign;
}

absl::Status CheckReplacement(const Model& model, Value from, Value to) {
  if (!ExistsIn(model, to)) return absl::InvalidArgumentError("A replacement is no output of a node of the model");
  const ValueInfo& old_info = model.info(from);
  const ValueInfo& new_info = model.info(to);
  if (old_info.type == new_info.type && old_info.shape.MayEqual(new_info.shape)) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("Output ", from.output, " of node '", model.node(from.node).name(),
                                                 "' is ", Name(old_info.type), old_info.shape.ToString(),
                                                 " but its replacement, of node '", model.node(to.node).name(),
                                                 "', is ", Name(new_info.type), new_info.shape.ToString()));
}

}  // namespace

Patch::Patch(const Model& model) : first_new_id_(model.id_bound()) {}

NodeId Patch::AddNode(NodeSpec spec) {
  BURIN_CHECK(spec.op != nullptr) << "a node without an op: " << spec.name;
  added_.push_back(std::move(spec));
  return static_cast<NodeId>(first_new_id_ + static_cast<int32_t>(added_.size()) - 1);
}

Value Patch::Add(const OpDef& op, std::vector<Value> inputs, std::unique_ptr<Attributes> attributes, std::string name) {
  NodeSpec spec;
  spec.op = &op;
  spec.attributes = std::move(attributes);
  spec.inputs = std::move(inputs);
  spec.name = std::move(name);
  return Value{AddNode(std::move(spec)), 0};
}

Value Patch::AddConstant(Tensor value, std::string name) {
  auto attributes = std::make_unique<ConstantAttributes>();
  attributes->value = std::move(value);
  return Add(ConstantOp(), {}, std::move(attributes), std::move(name));
}

void Patch::Replace(Value from, Value to) { replaced_.emplace_back(from, to); }

void Patch::SetInput(Use use, Value value) { rewired_.emplace_back(use, value); }

void Patch::SetSources(std::vector<NodeId> sources) { sources_ = std::move(sources); }

std::vector<NodeId> Patch::added() const {
  std::vector<NodeId> ids;
  for (size_t i = 0; i < added_.size(); ++i)
    ids.push_back(static_cast<NodeId>(first_new_id_ + static_cast<int32_t>(i)));
  return ids;
}

absl::Status Patch::CollectEdges(const Model& model) {
  for (const auto& [from, to] : replaced_) {
    if (!ExistsIn(model, from)) return absl::InvalidArgumentError("A replaced value is no output of the model's nodes");
    for (const Use& use : model.UsesOf(from)) edges_.push_back(Edge{use, from, to});
  }
  for (const auto& [use, value] : rewired_) {
    if (!model.Contains(use.node) || use.input < 0 || use.input >= model.node(use.node).input_count()) {
      return absl::InvalidArgumentError("A rewired input is none of the model's nodes");
    }
    edges_.push_back(Edge{use, model.node(use.node).input(use.input), value});
  }
  // Where several edits name one input, the last one counts.
  absl::flat_hash_set<std::pair<NodeId, int32_t>> seen;
  std::vector<Edge> last;
  for (auto it = edges_.rbegin(); it != edges_.rend(); ++it) {
    if (seen.insert({it->use.node, it->use.input}).second) last.push_back(*it);
  }
  std::reverse(last.begin(), last.end());
  edges_ = std::move(last);
  return absl::OkStatus();
}

absl::Status Patch::Edit(Model* model, Model::ReplacedOutputs* outputs) {
  for (NodeSpec& spec : added_) {
    new_nodes_.push_back(NewNode{spec.name, !spec.original_names.empty()});
    // The new nodes take little of the room between the ranks, so that most edits move no other node.
    BURIN_RETURN_IF_ERROR(
        model->Insert(static_cast<NodeId>(model->id_bound()), std::move(spec), /*rank_step=*/1).status());
  }
  for (const auto& [from, to] : replaced_) BURIN_RETURN_IF_ERROR(CheckReplacement(*model, from, to));
  // All old edges go before the new ones come: only what is there in the end may not form a cycle.
  for (const Edge& edge : edges_) {
    if (edge.to.exists() && !ExistsIn(*model, edge.to)) {
      return absl::InvalidArgumentError("A rewired input's new value is no output of a node of the model");
    }
  }
  for (; edges_dropped_ < edges_.size(); ++edges_dropped_) {
    model->SetInput(edges_[edges_dropped_].use, Value::None());
  }
  std::vector<NodeId> changed;
  for (const Edge& edge : edges_) {
    if (!model->SetInputUnlessCyclic(edge.use, edge.to)) {
      return absl::InvalidArgumentError(
          absl::StrCat("The edit makes a cycle through node '", model->node(edge.use.node).name(), "'"));
    }
    changed.push_back(edge.use.node);
  }
  const absl::Status status = model->InferOnward(changed, outputs);
  if (status.code() != absl::StatusCode::kInvalidArgument) return status;
  return absl::FailedPreconditionError(status.message());
}

void Patch::Undo(Model* model, Model::ReplacedOutputs outputs) {
  model->PutBack(std::move(outputs));
  for (size_t i = 0; i < edges_dropped_; ++i) model->SetInput(edges_[i].use, Value::None());
  for (size_t i = 0; i < edges_dropped_; ++i) model->SetInput(edges_[i].use, edges_[i].from);
  std::vector<NodeId> removed;
  for (int32_t id = model->id_bound() - 1; id >= first_new_id_; --id) {
    removed.push_back(static_cast<NodeId>(id));
    model->EraseNode(static_cast<NodeId>(id));
  }
  model->Unlist(removed);
  model->nodes_.resize(static_cast<size_t>(first_new_id_));
}

// Returns the nodes that the edit concerned, the new ones among them, some of them more than once.
std::vector<NodeId> Patch::ChangedNodes(const Model& model, const Model::ReplacedOutputs& outputs) const {
  std::vector<NodeId> changed;
  for (const Edge& edge : edges_) changed.insert(changed.end(), {edge.use.node, edge.from.node, edge.to.node});
  for (const auto& [from, to] : replaced_) changed.insert(changed.end(), {from.node, to.node});
  for (const auto& [id, old_outputs] : outputs) changed.push_back(id);
  for (int32_t id = first_new_id_; id < model.id_bound(); ++id) {
    changed.push_back(static_cast<NodeId>(id));
    for (const Value& input : model.node(static_cast<NodeId>(id)).inputs()) changed.push_back(input.node);
  }
  return changed;
}

// Appends the inputs of each removed node to `lost_reader`.
std::vector<Patch::Removed> Patch::RemoveDead(Model* model, std::vector<NodeId>* lost_reader) const {
  std::vector<NodeId> candidates;
  for (const Edge& edge : edges_) {
    if (edge.from.exists()) candidates.push_back(edge.from.node);
  }
  for (const auto& [from, to] : replaced_) candidates.push_back(from.node);
  for (size_t i = 0; i < new_nodes_.size(); ++i) {
    candidates.push_back(static_cast<NodeId>(first_new_id_ + static_cast<int32_t>(i)));
  }
  std::vector<Removed> removed;
  while (!candidates.empty()) {
    const NodeId id = candidates.back();
    candidates.pop_back();
    if (!model->Contains(id) || model->IsRead(id) || IsRoot(model->node(id))) continue;
    const Node& node = model->node(id);
    for (const Value& input : node.inputs()) {
      if (!input.exists()) continue;
      candidates.push_back(input.node);
      lost_reader->push_back(input.node);
    }
    if (Index(id) < first_new_id_) {
      removed.push_back(Removed{id, node.code() == OpCode::kConstant, node.name(), node.original_names()});
    }
    model->EraseNode(id);
  }
  std::sort(removed.begin(), removed.end(), [](const Removed& a, const Removed& b) { return a.id < b.id; });
  return removed;
}

std::vector<std::string> Patch::SourceNames(const Model& model, const std::vector<Removed>& removed) const {
  absl::flat_hash_set<NodeId> wanted;
  if (sources_.has_value()) {
    wanted.insert(sources_->begin(), sources_->end());
  } else {
    for (const auto& [from, to] : replaced_) wanted.insert(from.node);
    // Folded weights say less than the ops that used them.
    const bool all_constant =
        std::all_of(removed.begin(), removed.end(), [](const Removed& r) { return r.is_constant; });
    for (const Removed& node : removed) {
      if (!node.is_constant || (all_constant && wanted.empty())) wanted.insert(node.id);
    }
  }
  std::vector<NodeId> ids(wanted.begin(), wanted.end());
  std::sort(ids.begin(), ids.end());
  std::vector<std::string> names;
  for (const NodeId id : ids) {
    const auto it = std::lower_bound(removed.begin(), removed.end(), id,
                                     [](const Removed& node, NodeId value) { return node.id < value; });
    if (it != removed.end() && it->id == id) {
      names.insert(names.end(), it->original_names.begin(), it->original_names.end());
    } else if (model.Contains(id)) {
      const std::vector<std::string>& known = model.node(id).original_names();
      names.insert(names.end(), known.begin(), known.end());
    }
  }
  return names;
}

void Patch::NameNewNodes(const std::vector<Removed>& removed, Model* model) {
  for (const auto& [from, to] : replaced_) {
    if (Index(to.node) < first_new_id_) continue;
    std::string& wanted = new_nodes_[static_cast<size_t>(Index(to.node) - first_new_id_)].wanted_name;
    const NodeId old = from.node;
    const auto it = std::find_if(removed.begin(), removed.end(), [old](const Removed& node) { return node.id == old; });
    if (wanted.empty() && it != removed.end()) wanted = it->name;
  }
  const std::vector<std::string> sources = SourceNames(*model, removed);
  for (size_t i = 0; i < new_nodes_.size(); ++i) {
    const auto id = static_cast<NodeId>(first_new_id_ + static_cast<int32_t>(i));
    if (!model->Contains(id)) continue;
    const std::string& wanted = new_nodes_[i].wanted_name;
    // Its name may have become free with the nodes removed.
    if (!wanted.empty() && model->FindNode(wanted) == NodeId::kNone) model->SetName(id, wanted);
    if (!new_nodes_[i].has_sources) model->AddOriginalNames(id, sources);
  }
}

absl::Status Patch::Apply(Model* model, std::vector<NodeId>* touched) && {
  if (model->id_bound() != first_new_id_) {
    return absl::InvalidArgumentError("The patch was made for another state of the model");
  }
  BURIN_RETURN_IF_ERROR(model->RestoreRanks());
  BURIN_RETURN_IF_ERROR(CollectEdges(*model));
  Model::ReplacedOutputs outputs;
  if (const absl::Status status = Edit(model, &outputs); !status.ok()) {
    Undo(model, std::move(outputs));
    return status;
  }
  for (const auto& [from, to] : replaced_) {
    std::vector<std::string> names = model->node(to.node).output_names(to.output);
    for (const std::string& name : model->node(from.node).output_names(from.output)) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    model->SetOutputNames(from, {});
    model->SetOutputNames(to, std::move(names));
  }
  std::vector<NodeId> changed = ChangedNodes(*model, outputs);
  NameNewNodes(RemoveDead(model, &changed), model);
  if (touched == nullptr) return absl::OkStatus();
  const auto gone = [model](NodeId id) { return !model->Contains(id); };
  changed.erase(std::remove_if(changed.begin(), changed.end(), gone), changed.end());
  std::sort(changed.begin(), changed.end());
  changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
  *touched = std::move(changed);
  return absl::OkStatus();
}

}  // namespace burin::ir
