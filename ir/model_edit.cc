#include <algorithm>
#include <cstddef>
#include <functional>
#include <queue>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "base/status_macros.h"
#include "ir/model.h"
#include "ir/ops/op_code.h"

namespace burin::ir {

void Model::AddUse(Use use, Value value) {
  if (value.exists()) mutable_node(value.node).uses_.insert({value.output, use});
}

void Model::DropUse(Use use, Value value) {
  if (value.exists()) mutable_node(value.node).uses_.erase({value.output, use});
}

// Makes the rank of `id` greater than that of `input`, and those of its readers greater in turn. Returns false,
// changing nothing, where `input` is reached from `id`, so that the edge would close a cycle.
bool Model::RaiseRank(NodeId id, NodeId input) {
  const int64_t limit = node(input).rank_;
  if (id == input) return false;
  if (node(id).rank_ > limit) return true;
  // Ranks rise along each path from `id` to `input`, so it runs through nodes of a rank below the limit alone.
  absl::flat_hash_set<NodeId> seen = {id};
  std::vector<NodeId> stack = {id};
  while (!stack.empty()) {
    const NodeId at = stack.back();
    stack.pop_back();
    for (const auto& [output, use] : node(at).uses_) {
      if (use.node == input) return false;
      if (node(use.node).rank_ < limit && seen.insert(use.node).second) stack.push_back(use.node);
    }
  }
  // In order of the old ranks, so that each node is raised once for all its inputs before its readers are looked at.
  std::priority_queue<std::pair<int64_t, NodeId>, std::vector<std::pair<int64_t, NodeId>>, std::greater<>> raised;
  absl::flat_hash_set<NodeId> queued = {id};
  raised.push({node(id).rank_, id});
  mutable_node(id).rank_ = limit + 1;
  while (!raised.empty()) {
    const Node& at = node(raised.top().second);
    raised.pop();
    for (const auto& [output, use] : at.uses_) {
      Node& reader = mutable_node(use.node);
      if (reader.rank_ > at.rank_) continue;
      if (queued.insert(use.node).second) raised.push({reader.rank_, use.node});
      reader.rank_ = at.rank_ + 1;
    }
  }
  return true;
}

absl::Status Model::RestoreRanks() {
  if (ranks_hold_) return absl::OkStatus();
  BURIN_ASSIGN_OR_RETURN(const std::vector<NodeId> order, TopologicalOrder());
  for (const NodeId id : order) {
    Node& at = mutable_node(id);
    at.rank_ = 0;
    for (const Value& input : at.inputs_) {
      if (input.exists()) at.rank_ = std::max(at.rank_, node(input.node).rank_ + kRankStep);
    }
  }
  ranks_hold_ = true;
  return absl::OkStatus();
}

bool Model::SetInputUnlessCyclic(Use use, Value value) {
  Node& reader = mutable_node(use.node);
  BURIN_CHECK(use.input >= 0 && use.input < reader.input_count()) << "input " << use.input << " of " << reader.name();
  Value& slot = reader.inputs_[static_cast<size_t>(use.input)];
  if (value.exists()) {
    BURIN_CHECK(value.output >= 0 && value.output < node(value.node).output_count())
        << "output " << value.output << " of " << node(value.node).name();
    if (!RaiseRank(use.node, value.node)) return false;
  }
  DropUse(use, slot);
  slot = value;
  AddUse(use, value);
  return true;
}

void Model::SetInput(Use use, Value value) {
  if (ranks_hold_ && SetInputUnlessCyclic(use, value)) return;
  ranks_hold_ = false;
  Node& reader = mutable_node(use.node);
  BURIN_CHECK(use.input >= 0 && use.input < reader.input_count()) << "input " << use.input << " of " << reader.name();
  Value& slot = reader.inputs_[static_cast<size_t>(use.input)];
  DropUse(use, slot);
  slot = value;
  AddUse(use, value);
}

void Model::ReplaceUses(Value from, Value to) {
  if (from == to) return;
  for (const Use& use : UsesOf(from)) {
    if (use.node != to.node) SetInput(use, to);
  }
  std::vector<std::string>& old_names = mutable_node(from.node).output_names_[static_cast<size_t>(from.output)];
  std::vector<std::string>& names = mutable_node(to.node).output_names_[static_cast<size_t>(to.output)];
  for (std::string& name : old_names) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  old_names.clear();
}

void Model::Unlist(const std::vector<NodeId>& removed) {
  const absl::flat_hash_set<NodeId> gone(removed.begin(), removed.end());
  for (std::vector<NodeId>* list : {&parameters_, &results_, &sinks_}) {
    list->erase(std::remove_if(list->begin(), list->end(), [&gone](NodeId id) { return gone.contains(id); }),
                list->end());
  }
}

void Model::EraseNode(NodeId id) {
  const Node& at = node(id);
  for (int32_t i = 0; i < at.input_count(); ++i) {
    const Value input = at.input(i);
    if (Contains(input.node)) DropUse(Use{id, i}, input);
  }
  by_name_.erase(at.name_);
  nodes_[static_cast<size_t>(Index(id))].reset();
  --live_;
}

void Model::RemoveNode(NodeId id) {
  BURIN_CHECK(!IsRead(id)) << "node " << node(id).name() << " is read by others";
  const OpCode code = node(id).code();
  EraseNode(id);
  if (code == OpCode::kParameter || code == OpCode::kResult || code == OpCode::kAssign) Unlist({id});
}

int64_t Model::RemoveDeadNodes() {
  std::vector<bool> alive(nodes_.size());
  std::vector<NodeId> stack;
  const auto mark = [&alive, &stack](NodeId id) {
    if (alive[static_cast<size_t>(Index(id))]) return;
    alive[static_cast<size_t>(Index(id))] = true;
    stack.push_back(id);
  };
  for (const std::vector<NodeId>* list : {&parameters_, &results_, &sinks_}) {
    for (const NodeId id : *list) mark(id);
  }
  while (!stack.empty()) {
    const NodeId id = stack.back();
    stack.pop_back();
    for (const Value& input : node(id).inputs_) {
      if (input.exists()) mark(input.node);
    }
  }
  int64_t removed = 0;
  for (const NodeId id : NodeIds()) {
    if (alive[static_cast<size_t>(Index(id))]) continue;
    EraseNode(id);
    ++removed;
  }
  return removed;
}

void Model::SetName(NodeId id, std::string name) {
  Node& at = mutable_node(id);
  if (at.name_ == name) return;
  by_name_.erase(at.name_);
  at.name_ = UniqueName(name.empty() ? absl::string_view(at.op_->name) : absl::string_view(name));
  by_name_.emplace(at.name_, id);
}

void Model::SetOutputNames(Value value, std::vector<std::string> names) {
  Node& at = mutable_node(value.node);
  BURIN_CHECK(value.output >= 0 && value.output < at.output_count())
      << "output " << value.output << " of " << at.name();
  at.output_names_[static_cast<size_t>(value.output)] = std::move(names);
}

void Model::AddOriginalNames(NodeId id, absl::Span<const std::string> names) {
  std::vector<std::string>& known = mutable_node(id).original_names_;
  absl::flat_hash_set<std::string> seen(known.begin(), known.end());
  for (const std::string& name : names) {
    if (seen.insert(name).second) known.push_back(name);
  }
}

void Model::SetRuntimeInfo(NodeId id, RuntimeInfo info) { mutable_node(id).runtime_info_ = std::move(info); }

void Model::SetAttributes(NodeId id, std::unique_ptr<Attributes> attributes) {
  BURIN_CHECK(attributes != nullptr) << "no attributes for node " << node(id).name();
  mutable_node(id).attributes_ = std::move(attributes);
}

}  // namespace burin::ir
