#include "ir/model.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <queue>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_context.h"
#include "base/status_macros.h"
#include "ir/ops/assign.h"
#include "ir/ops/constant.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/ops/parameter.h"
#include "ir/ops/read_value.h"

namespace burin::ir {
namespace {

// Returns the variable that a node with these attributes reads or sets, or null.
const std::string* VariableIdOf(const Attributes& attributes) {
  if (const auto* read = AttributesAs<ReadValueAttributes>(attributes)) return &read->variable_id;
  if (const auto* assign = AttributesAs<AssignAttributes>(attributes)) return &assign->variable_id;
  return nullptr;
}

bool MayBeAbsent(const OpDef& op, size_t input) { return input < 64 && ((op.absent_inputs >> input) & 1) != 0; }

// Names a node of `on_cycle`, all of whose members have an input among them.
NodeId FindCycle(const Model& model, const std::vector<bool>& on_cycle, NodeId start) {
  std::vector<bool> seen(on_cycle.size());
  NodeId at = start;
  while (!seen[static_cast<size_t>(Index(at))]) {
    seen[static_cast<size_t>(Index(at))] = true;
    for (const Value& input : model.node(at).inputs()) {
      if (input.exists() && on_cycle[static_cast<size_t>(Index(input.node))]) {
        at = input.node;
        break;
      }
    }
  }
  return at;
}

}  // namespace

bool Model::Contains(NodeId id) const {
  return Index(id) >= 0 && Index(id) < id_bound() && nodes_[static_cast<size_t>(Index(id))] != nullptr;
}

const Node& Model::node(NodeId id) const {
  BURIN_CHECK(Contains(id)) << "node " << Index(id);
  return *nodes_[static_cast<size_t>(Index(id))];
}

Node& Model::mutable_node(NodeId id) {
  BURIN_CHECK(Contains(id)) << "node " << Index(id);
  return *nodes_[static_cast<size_t>(Index(id))];
}

std::vector<NodeId> Model::NodeIds() const {
  std::vector<NodeId> ids;
  ids.reserve(static_cast<size_t>(live_));
  for (const auto& node : nodes_) {
    if (node != nullptr) ids.push_back(node->id());
  }
  return ids;
}

NodeId Model::FindNode(absl::string_view name) const {
  const auto it = by_name_.find(name);
  return it == by_name_.end() ? NodeId::kNone : it->second;
}

const Variable* Model::FindVariable(absl::string_view id) const {
  const auto it = variable_index_.find(id);
  return it == variable_index_.end() ? nullptr : &variables_[it->second];
}

absl::StatusOr<std::vector<NodeId>> Model::TopologicalOrder() const {
  // The number of inputs of each node that have not come yet.
  std::vector<int64_t> missing(nodes_.size());
  std::priority_queue<NodeId, std::vector<NodeId>, std::greater<NodeId>> ready;
  for (const auto& node : nodes_) {
    if (node == nullptr) continue;
    const int64_t count =
        std::count_if(node->inputs_.begin(), node->inputs_.end(), [](const Value& input) { return input.exists(); });
    missing[static_cast<size_t>(Index(node->id()))] = count;
    if (count == 0) ready.push(node->id());
  }
  std::vector<NodeId> order;
  order.reserve(static_cast<size_t>(live_));
  while (!ready.empty()) {
    const NodeId id = ready.top();
    ready.pop();
    order.push_back(id);
    for (const auto& [output, use] : node(id).uses_) {
      if (--missing[static_cast<size_t>(Index(use.node))] == 0) ready.push(use.node);
    }
  }
  if (static_cast<int64_t>(order.size()) == live_) return order;

  std::vector<bool> stuck(nodes_.size());
  NodeId start = NodeId::kNone;
  for (const auto& node : nodes_) {
    if (node == nullptr || missing[static_cast<size_t>(Index(node->id()))] == 0) continue;
    stuck[static_cast<size_t>(Index(node->id()))] = true;
    start = node->id();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("The model has a cycle through node '", node(FindCycle(*this, stuck, start)).name(), "'"));
}

std::vector<Use> Model::UsesOf(Value value) const {
  const auto& uses = node(value.node).uses_;
  std::vector<Use> result;
  for (auto it = uses.lower_bound({value.output, Use{}}); it != uses.end() && it->first == value.output; ++it) {
    result.push_back(it->second);
  }
  return result;
}

bool Model::HasOneUse(Value value) const {
  const auto& uses = node(value.node).uses_;
  const auto first = uses.lower_bound({value.output, Use{}});
  if (first == uses.end() || first->first != value.output) return false;
  const auto second = std::next(first);
  return second == uses.end() || second->first != value.output;
}

NodeId Model::OnlyReader(Value value) const {
  // Those of one output lie together, ordered by reader: the first and the last tell of all.
  const auto& uses = node(value.node).uses_;
  const auto first = uses.lower_bound({value.output, Use{}});
  if (first == uses.end() || first->first != value.output) return NodeId::kNone;
  const auto last = std::prev(uses.lower_bound({value.output + 1, Use{}}));
  return first->second.node == last->second.node ? first->second.node : NodeId::kNone;
}

std::vector<std::vector<std::pair<int32_t, Use>>> Model::AllUses() const {
  std::vector<std::vector<std::pair<int32_t, Use>>> result(nodes_.size());
  for (size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i] != nullptr) result[i].assign(nodes_[i]->uses_.begin(), nodes_[i]->uses_.end());
  }
  return result;
}

int32_t Model::BodyDepth() const {
  int32_t depth = 0;
  for (const auto& node : nodes_) {
    if (node == nullptr) continue;
    for (const auto& body : node->bodies_) depth = std::max(depth, 1 + body->BodyDepth());
  }
  return depth;
}

std::unique_ptr<Model> Model::Clone() const {
  auto copy = std::make_unique<Model>(name_);
  copy->runtime_info_ = runtime_info_;
  copy->nodes_.resize(nodes_.size());
  for (size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i] == nullptr) continue;
    const Node& from = *nodes_[i];
    std::unique_ptr<Node> to(new Node);
    to->id_ = from.id_;
    to->op_ = from.op_;
    to->name_ = from.name_;
    to->original_names_ = from.original_names_;
    to->runtime_info_ = from.runtime_info_;
    to->attributes_ = from.attributes_->Clone();
    to->inputs_ = from.inputs_;
    to->outputs_ = from.outputs_;
    to->output_names_ = from.output_names_;
    for (const auto& body : from.bodies_) to->bodies_.push_back(body->Clone());
    to->uses_ = from.uses_;
    to->rank_ = from.rank_;
    copy->nodes_[i] = std::move(to);
  }
  copy->live_ = live_;
  copy->by_name_ = by_name_;
  copy->next_suffix_ = next_suffix_;
  copy->ranks_hold_ = ranks_hold_;
  copy->parameters_ = parameters_;
  copy->results_ = results_;
  copy->sinks_ = sinks_;
  copy->variables_ = variables_;
  copy->variable_index_ = variable_index_;
  return copy;
}

absl::StatusOr<NodeId> Model::AddNode(NodeSpec spec) {
  return Insert(static_cast<NodeId>(id_bound()), std::move(spec), kRankStep);
}

absl::StatusOr<NodeId> Model::AddNodeWithId(NodeId id, NodeSpec spec, int64_t expected_nodes) {
  const int64_t nodes = std::max(live_, expected_nodes);
  if (Index(id) < 0 || Index(id) > 64 * (nodes + 1024)) {
    return absl::InvalidArgumentError(
        absl::StrCat("The node's id is too far from the others for ", nodes, " nodes: ", Index(id)));
  }
  if (Contains(id)) return absl::InvalidArgumentError(absl::StrCat("Two nodes have the same id: ", Index(id)));
  return Insert(id, std::move(spec), kRankStep);
}

absl::Status Model::CheckSpec(const NodeSpec& spec) const {
  const OpDef& op = *spec.op;
  if (spec.attributes->TypeTag() != op.make_attributes()->TypeTag()) {
    return absl::InvalidArgumentError("The attributes are those of another op");
  }
  const auto count = static_cast<int64_t>(spec.inputs.size());
  if (count < op.min_inputs || (op.max_inputs >= 0 && count > op.max_inputs)) {
    return absl::InvalidArgumentError(absl::StrCat("The number of inputs is wrong: ", count));
  }
  for (size_t i = 0; i < spec.inputs.size(); ++i) {
    const Value input = spec.inputs[i];
    if (!input.exists()) {
      if (!MayBeAbsent(op, i)) return absl::InvalidArgumentError(absl::StrCat("An input may not be absent: ", i));
      continue;
    }
    if (!Contains(input.node) || input.output < 0 || input.output >= node(input.node).output_count()) {
      return absl::InvalidArgumentError(
          absl::StrCat("Input ", i, " is no output of a node of the model: ", Index(input.node), ".", input.output));
    }
  }
  if (op.bodies >= 0 && static_cast<int64_t>(spec.bodies.size()) != op.bodies) {
    return absl::InvalidArgumentError(absl::StrCat("The number of bodies is wrong: ", spec.bodies.size()));
  }
  for (const auto& body : spec.bodies) {
    if (body == nullptr) return absl::InvalidArgumentError("A body is missing");
    if (body->BodyDepth() >= kMaxBodyDepth) {
      return absl::InvalidArgumentError(absl::StrCat("Bodies are nested deeper than ", kMaxBodyDepth, " levels"));
    }
  }
  const std::string* variable = VariableIdOf(*spec.attributes);
  if (variable != nullptr && FindVariable(*variable) == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat("The model has no variable of this id: '", *variable, "'"));
  }
  return absl::OkStatus();
}

absl::StatusOr<NodeId> Model::Insert(NodeId id, NodeSpec spec, int64_t rank_step) {
  BURIN_CHECK(spec.op != nullptr) << "a node without an op: " << spec.name;
  const OpDef& op = *spec.op;
  if (spec.attributes == nullptr) spec.attributes = op.make_attributes();
  while (static_cast<int64_t>(spec.inputs.size()) > op.min_inputs && !spec.inputs.back().exists()) {
    spec.inputs.pop_back();
  }
  const std::string wanted = spec.name.empty() ? std::string(op.name) : std::move(spec.name);
  if (const absl::Status status = CheckSpec(spec); !status.ok()) {
    return WithContext(status, absl::StrCat("Node '", wanted, "' (", op.name, ")"));
  }

  std::unique_ptr<Node> node(new Node);
  node->id_ = id;
  node->op_ = &op;
  node->name_ = wanted;
  node->original_names_ = std::move(spec.original_names);
  node->runtime_info_ = std::move(spec.runtime_info);
  node->attributes_ = std::move(spec.attributes);
  node->inputs_ = std::move(spec.inputs);
  node->bodies_ = std::move(spec.bodies);
  BURIN_ASSIGN_OR_RETURN(node->outputs_,
                         InferOutputs(*node, [this](Value value) -> const ValueInfo& { return info(value); }));
  node->output_names_ = std::move(spec.output_names);
  node->output_names_.resize(node->outputs_.size());

  // Nothing below fails.
  node->name_ = UniqueName(wanted);
  by_name_.emplace(node->name_, id);
  for (const Value& input : node->inputs_) {
    if (input.exists()) node->rank_ = std::max(node->rank_, this->node(input.node).rank_ + rank_step);
  }
  if (Index(id) >= id_bound()) nodes_.resize(static_cast<size_t>(Index(id)) + 1);
  Node& placed = *(nodes_[static_cast<size_t>(Index(id))] = std::move(node));
  ++live_;
  for (int32_t i = 0; i < placed.input_count(); ++i) AddUse(Use{id, i}, placed.input(i));
  ListNode(placed);
  return id;
}

void Model::ListNode(const Node& node) {
  if (node.code() == OpCode::kParameter) parameters_.push_back(node.id());
  if (node.code() == OpCode::kResult) results_.push_back(node.id());
  if (node.code() == OpCode::kAssign) sinks_.push_back(node.id());
}

std::string Model::UniqueName(absl::string_view wanted) {
  std::string name(wanted);
  if (!by_name_.contains(name)) return name;
  int64_t& suffix = next_suffix_.try_emplace(name, 1).first->second;
  do {
    name = absl::StrCat(wanted, "_", suffix++);
  } while (by_name_.contains(name));
  return name;
}

absl::StatusOr<Value> Model::AddParameter(std::string name, ElementType type, PartialShape shape) {
  auto attributes = std::make_unique<ParameterAttributes>();
  attributes->element_type = type;
  attributes->shape = std::move(shape);
  return Add(ParameterOp(), {}, std::move(attributes), std::move(name));
}

absl::StatusOr<Value> Model::AddConstant(Tensor value, std::string name) {
  auto attributes = std::make_unique<ConstantAttributes>();
  attributes->value = std::move(value);
  return Add(ConstantOp(), {}, std::move(attributes), std::move(name));
}

absl::StatusOr<NodeId> Model::AddResult(Value value, std::string name) {
  NodeSpec spec;
  spec.op = &ResultOp();
  spec.inputs = {value};
  spec.name = std::move(name);
  return AddNode(std::move(spec));
}

absl::StatusOr<Value> Model::Add(const OpDef& op, std::vector<Value> inputs, std::unique_ptr<Attributes> attributes,
                                 std::string name) {
  NodeSpec spec;
  spec.op = &op;
  spec.attributes = std::move(attributes);
  spec.inputs = std::move(inputs);
  spec.name = std::move(name);
  BURIN_ASSIGN_OR_RETURN(const NodeId id, AddNode(std::move(spec)));
  return Value{id, 0};
}

absl::Status Model::AddVariable(Variable variable) {
  if (variable.id.empty()) return absl::InvalidArgumentError("A variable's id is empty");
  if (!variable_index_.emplace(variable.id, variables_.size()).second) {
    return absl::InvalidArgumentError(absl::StrCat("Two variables have the same id: '", variable.id, "'"));
  }
  variables_.push_back(std::move(variable));
  return absl::OkStatus();
}

absl::Status Model::SetOrder(std::vector<NodeId> parameters, std::vector<NodeId> results, std::vector<NodeId> sinks) {
  const auto same_nodes = [](std::vector<NodeId> a, std::vector<NodeId> b) {
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    return a == b;
  };
  if (!same_nodes(parameters, parameters_)) return absl::InvalidArgumentError("The parameters in order are others");
  if (!same_nodes(results, results_)) return absl::InvalidArgumentError("The results in order are others");
  if (!same_nodes(sinks, sinks_)) return absl::InvalidArgumentError("The sinks in order are others");
  parameters_ = std::move(parameters);
  results_ = std::move(results);
  sinks_ = std::move(sinks);
  return absl::OkStatus();
}

}  // namespace burin::ir
