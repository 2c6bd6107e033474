// The model: what is computed. A graph of operations with parameters, results, sinks, variables and body graphs.
//
// Nodes are owned by the model and named by `NodeId`s, which are stable: an id is never reused within a model and is
// carried by clone, patch, text and binary form. An edge is a `Value` (node, output index). Passes do not edit a model
// themselves: they return a `Patch` (ir/rewrite.h) that the driver applies. Body graphs (If, Loop) are closed: values
// from outside enter through their parameters.
//
// Thread-safety: const methods may run concurrently; anything else needs outside order.
//
// Invariants (checked by Verify() in ir/verifier.h; labels used in errors and tests):
//   M1  Every input is an existing output of a live node of the same model, or absent where the op allows it.
//   M2  The graph has no cycle.
//   M3  The number of inputs, outputs and bodies is what the op declares.
//   M4  parameters(), results() and sinks() list each node of the respective kind exactly once.
//   M5  Attributes are of the op's own type.
//   M6  Inferring again gives types and shapes compatible with the recorded ones.
//   M7  Every node's name is non-empty and unique within the model.
//   M8  Variables have unique ids, and every ReadValue and Assign names one of them.
//   M9  Body graphs satisfy M1 to M9 themselves.
#ifndef BURIN_IR_MODEL_H_
#define BURIN_IR_MODEL_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/btree_set.h"
#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/check.h"
#include "base/element_type.h"
#include "ir/attributes.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/partial_shape.h"
#include "ir/runtime_info.h"
#include "ir/tensor.h"

namespace burin::ir {

// Names a node within its model. Ids are dense enough to index vectors by: see Model::id_bound().
enum class NodeId : int32_t { kNone = -1 };
inline int32_t Index(NodeId id) { return static_cast<int32_t>(id); }

// One output of a node: what an edge carries.
struct Value {
  NodeId node = NodeId::kNone;
  int32_t output = 0;

  static Value None() { return Value{}; }
  bool exists() const { return node != NodeId::kNone; }
  friend bool operator==(const Value& a, const Value& b) { return a.node == b.node && a.output == b.output; }
  friend bool operator!=(const Value& a, const Value& b) { return !(a == b); }
  template <typename H>
  friend H AbslHashValue(H h, const Value& v) {
    return H::combine(std::move(h), Index(v.node), v.output);
  }
};

// An input slot of a node.
struct Use {
  NodeId node = NodeId::kNone;
  int32_t input = 0;
  friend bool operator==(const Use& a, const Use& b) { return a.node == b.node && a.input == b.input; }
  friend bool operator<(const Use& a, const Use& b) { return a.node != b.node ? a.node < b.node : a.input < b.input; }
};

// How deep body graphs may be nested; deeper ones are refused, so that recursion over bodies is bounded.
inline constexpr int32_t kMaxBodyDepth = 64;

class Node {
 public:
  NodeId id() const { return id_; }
  const OpDef& op() const { return *op_; }
  OpCode code() const { return op_->code; }
  // Unique within the model.
  const std::string& name() const { return name_; }
  // Returns the names of the user's operations that this node stands for; profiles and execution graphs print them.
  // Never empty for a node that came from a file; may be empty for one that a pass invented.
  const std::vector<std::string>& original_names() const { return original_names_; }
  const RuntimeInfo& runtime_info() const { return runtime_info_; }

  const Attributes& attributes() const { return *attributes_; }
  // Returns the attributes as the op's own struct, which T must be.
  template <class T>
  const T& attributes_as() const {
    const T* typed = AttributesAs<T>(*attributes_);
    BURIN_CHECK(typed != nullptr) << "node " << name_ << " has attributes of another type";
    return *typed;
  }

  absl::Span<const Value> inputs() const { return inputs_; }
  int64_t input_count() const { return static_cast<int64_t>(inputs_.size()); }
  Value input(int64_t i) const { return inputs_[static_cast<size_t>(i)]; }

  int64_t output_count() const { return static_cast<int64_t>(outputs_.size()); }
  const ValueInfo& output(int64_t i) const { return outputs_[static_cast<size_t>(i)]; }
  absl::Span<const ValueInfo> outputs() const { return outputs_; }
  // Returns the tensor names of output `i`, as the user's file calls it (may be empty; several after merges).
  const std::vector<std::string>& output_names(int64_t i) const { return output_names_[static_cast<size_t>(i)]; }

  absl::Span<const std::unique_ptr<Model>> bodies() const { return bodies_; }

 private:
  friend class Model;
  Node() = default;

  NodeId id_ = NodeId::kNone;
  const OpDef* op_ = nullptr;
  std::string name_;
  std::vector<std::string> original_names_;
  RuntimeInfo runtime_info_;
  std::unique_ptr<Attributes> attributes_;
  std::vector<Value> inputs_;
  std::vector<ValueInfo> outputs_;
  std::vector<std::vector<std::string>> output_names_;
  std::vector<std::unique_ptr<Model>> bodies_;
  // Who reads which output, ordered by output, then by reader.
  absl::btree_set<std::pair<int32_t, Use>> uses_;
  // Greater than that of every node it reads, unless the model has a cycle: an order for work on a part of the graph.
  int64_t rank_ = 0;
};

// State that survives from one inference to the next (ReadValue, Assign).
struct Variable {
  std::string id;
  ElementType type = ElementType::kUndefined;
  PartialShape shape = PartialShape::DynamicRank();
};

// Everything a new node is made of. Unset fields take their defaults.
struct NodeSpec {
  const OpDef* op = nullptr;               // Required.
  std::unique_ptr<Attributes> attributes;  // Null: the op's defaults.
  std::vector<Value> inputs;
  std::string name;  // Empty or taken: a unique one is made from it or from the op's name.
  std::vector<std::string> original_names;
  RuntimeInfo runtime_info;
  std::vector<std::vector<std::string>> output_names;  // Shorter than the outputs: the rest have none.
  std::vector<std::unique_ptr<Model>> bodies;
};

class Model {
 public:
  explicit Model(std::string name = "") : name_(std::move(name)) {}
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;
  Model(Model&&) = default;
  Model& operator=(Model&&) = default;
  ~Model() = default;

  const std::string& name() const { return name_; }
  void set_name(std::string name) { name_ = std::move(name); }
  const RuntimeInfo& runtime_info() const { return runtime_info_; }
  void set_runtime_info(RuntimeInfo info) { runtime_info_ = std::move(info); }

  // ---- Reading ----

  // Returns one more than the largest id ever used: the size of a vector indexed by node.
  int32_t id_bound() const { return static_cast<int32_t>(nodes_.size()); }
  int64_t node_count() const { return live_; }
  bool Contains(NodeId id) const;
  // Returns the node; requires Contains(id).
  const Node& node(NodeId id) const;
  // Returns the live nodes in order of id (not a topological order).
  std::vector<NodeId> NodeIds() const;
  // Returns the node with that name, or kNone.
  NodeId FindNode(absl::string_view name) const;
  // Returns what is known of a value; requires that it exists in this model.
  const ValueInfo& info(Value value) const { return node(value.node).output(value.output); }

  // In the order of the user's signature.
  const std::vector<NodeId>& parameters() const { return parameters_; }
  const std::vector<NodeId>& results() const { return results_; }
  // Nodes that must run although nobody reads them (Assign).
  const std::vector<NodeId>& sinks() const { return sinks_; }
  const std::vector<Variable>& variables() const { return variables_; }
  // Returns the variable, or null.
  const Variable* FindVariable(absl::string_view id) const;

  // Returns all live nodes so that each comes after its inputs; deterministic (smallest id first among the ready).
  // InvalidArgument naming a node on a cycle.
  absl::StatusOr<std::vector<NodeId>> TopologicalOrder() const;
  // Returns the input slots that read `value`, in order of node id; O(uses). Requires that the node exists.
  std::vector<Use> UsesOf(Value value) const;
  // Returns whether exactly one input slot reads `value`; O(log uses). Requires that the node exists.
  bool HasOneUse(Value value) const;
  // Returns the node that alone reads `value`, in whatever number of slots, or kNone; O(log uses). Likewise.
  NodeId OnlyReader(Value value) const;
  // Returns whether anybody reads any output of the node; O(1). Requires Contains(id).
  bool IsRead(NodeId id) const { return !node(id).uses_.empty(); }
  // Returns, for each node id below id_bound(), the uses of all its outputs (with output index order within a node).
  std::vector<std::vector<std::pair<int32_t, Use>>> AllUses() const;

  // Returns how many levels of body graphs lie below this one: 0 where no node has a body.
  int32_t BodyDepth() const;

  // Returns a deep copy with the same ids, names, provenance and runtime info; constants' bytes are shared.
  std::unique_ptr<Model> Clone() const;

  // Returns what inference says of each result if the parameters were as `parameters` say (one for each, in order;
  // null: as recorded). The model is unchanged. InvalidArgument with node name and op where a node refuses.
  absl::StatusOr<std::vector<ValueInfo>> InferResults(absl::Span<const ValueInfo* const> parameters) const;

  // ---- Building ----

  // Adds a node and infers its outputs. Parameters, results and sinks are appended to the respective list; absent
  // optional inputs at the end are dropped. InvalidArgument (with node name and op) where an input does not exist,
  // arity or inference refuses it, a variable is unknown, or bodies nest deeper than kMaxBodyDepth; the model is then
  // unchanged.
  absl::StatusOr<NodeId> AddNode(NodeSpec spec);
  // As AddNode, with the id given (for parsers): InvalidArgument where it is in use, or above 64 * (nodes + 1024),
  // which bounds the memory that gaps take; `nodes` is node_count(), or `expected_nodes` where that is more.
  absl::StatusOr<NodeId> AddNodeWithId(NodeId id, NodeSpec spec, int64_t expected_nodes = 0);

  // Shorthands.
  absl::StatusOr<Value> AddParameter(std::string name, ElementType type, PartialShape shape);
  absl::StatusOr<Value> AddConstant(Tensor value, std::string name = "");
  absl::StatusOr<NodeId> AddResult(Value value, std::string name);
  // Adds an op with one output and default attributes, or the given ones.
  absl::StatusOr<Value> Add(const OpDef& op, std::vector<Value> inputs,
                            std::unique_ptr<Attributes> attributes = nullptr, std::string name = "");
  // InvalidArgument for an empty id or one that the model has already.
  absl::Status AddVariable(Variable variable);
  // Puts parameters(), results() and sinks() into another order. InvalidArgument, with the model unchanged, where a
  // list does not hold the same nodes as before, each once.
  absl::Status SetOrder(std::vector<NodeId> parameters, std::vector<NodeId> results, std::vector<NodeId> sinks);

  // ---- Editing (for Patch, readers and tests; passes return Patches) ----

  // Nothing here infers anew: the caller runs InferFrom() or InferAll() once done.

  // Makes every reader of `from` but the node of `to` itself read `to`. Output names move along.
  void ReplaceUses(Value from, Value to);
  // Makes an input slot read `value`. Can close a cycle, which the next inference or Verify() reports.
  void SetInput(Use use, Value value);
  // Removes a node that nobody reads (anything else is a bug); its id is not used again.
  void RemoveNode(NodeId id);
  // Removes every node from which no result or sink is reached; returns how many. Parameters stay.
  int64_t RemoveDeadNodes();
  // Gives the node that name, or a unique one made from it.
  void SetName(NodeId id, std::string name);
  void SetOutputNames(Value value, std::vector<std::string> names);
  // Appends those names that the node does not have yet.
  void AddOriginalNames(NodeId id, absl::Span<const std::string> names);
  // Replaces a node's runtime info.
  void SetRuntimeInfo(NodeId id, RuntimeInfo info);
  // Replaces a node's attributes.
  void SetAttributes(NodeId id, std::unique_ptr<Attributes> attributes);

  // Infers every node again in topological order. InvalidArgument with node name and op where one refuses.
  absl::Status InferAll();
  // Infers these nodes again, and onward from each whose outputs turn out otherwise; near-linear in the nodes touched.
  // The recorded outputs are unchanged where a node refuses.
  absl::Status InferFrom(absl::Span<const NodeId> nodes);

  // Gives parameters new shapes (by position in parameters()) and infers everything again. The model is unchanged
  // where that fails.
  absl::Status Reshape(const absl::flat_hash_map<int64_t, PartialShape>& shapes);

 private:
  friend class Patch;

  // The distance of ranks in a model that is built front to back: room for what passes insert later.
  static constexpr int64_t kRankStep = int64_t{1} << 20;

  // The outputs that a series of inferences replaced, to go back to: each node's at most once.
  using ReplacedOutputs = std::vector<std::pair<NodeId, std::vector<ValueInfo>>>;

  Node& mutable_node(NodeId id);
  absl::StatusOr<NodeId> Insert(NodeId id, NodeSpec spec, int64_t rank_step);
  absl::Status CheckSpec(const NodeSpec& spec) const;
  // Infers what `node` gives, from what `info_of` says of the values it reads.
  static absl::StatusOr<std::vector<ValueInfo>> InferOutputs(const Node& node,
                                                             absl::FunctionRef<const ValueInfo&(Value)> info_of);
  std::string UniqueName(absl::string_view wanted);
  void ListNode(const Node& node);
  void Unlist(const std::vector<NodeId>& removed);
  void EraseNode(NodeId id);
  void AddUse(Use use, Value value);
  void DropUse(Use use, Value value);
  // As SetInput; returns false, changing nothing, where the edge would close a cycle.
  bool SetInputUnlessCyclic(Use use, Value value);
  bool RaiseRank(NodeId id, NodeId input);
  absl::Status RestoreRanks();
  absl::Status InferOnward(absl::Span<const NodeId> nodes, ReplacedOutputs* replaced);
  void PutBack(ReplacedOutputs replaced);
  void Record(std::vector<std::vector<ValueInfo>> table);
  absl::StatusOr<std::vector<std::vector<ValueInfo>>> InferTable(
      const absl::flat_hash_map<NodeId, const ValueInfo*>& given) const;

  std::string name_;
  RuntimeInfo runtime_info_;
  std::vector<std::unique_ptr<Node>> nodes_;  // By id; null where removed.
  int64_t live_ = 0;
  absl::flat_hash_map<std::string, NodeId> by_name_;
  absl::flat_hash_map<std::string, int64_t> next_suffix_;  // By name: the next "_N" worth trying.
  bool ranks_hold_ = true;  // False from an edit that closed a cycle on, until it is gone.
  std::vector<NodeId> parameters_;
  std::vector<NodeId> results_;
  std::vector<NodeId> sinks_;
  std::vector<Variable> variables_;
  absl::flat_hash_map<std::string, size_t> variable_index_;  // Into variables_, by id.
};

}  // namespace burin::ir

#endif  // BURIN_IR_MODEL_H_
