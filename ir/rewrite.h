// An edit of a model as a value, and the signatures of the rules that produce it.
//
// A rule looks at one node of a constant model and returns a `Patch`, or nothing. The driver applies patches
// atomically, verifies and records provenance; a rule never edits. Both graph passes and the snippets tokenizer are
// such rules, run by the same driver. A Patch is not thread-safe; PassContext is read-only.
#ifndef BURIN_IR_REWRITE_H_
#define BURIN_IR_REWRITE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/tensor.h"

namespace burin::ir {

// Adds nodes, redirects values, and lets what nobody reads any more disappear.
//
// New nodes are named by ids from id_bound() of the model on that the patch was made for; a patch applies only to a
// model in that same state.
class Patch {
 public:
  // Starts an empty edit of `model`, which outlives the patch.
  explicit Patch(const Model& model);

  // Adds a node; its inputs may be values of the model or of nodes added before. Returns the id that the node will
  // have.
  NodeId AddNode(NodeSpec spec);
  // Adds an op with one output.
  Value Add(const OpDef& op, std::vector<Value> inputs, std::unique_ptr<Attributes> attributes = nullptr,
            std::string name = "");
  Value AddConstant(Tensor value, std::string name = "");

  // Makes every reader of `from` (as of the start of the patch) read `to`. Names of the output move to `to`.
  void Replace(Value from, Value to);
  // Makes one input slot read another value.
  void SetInput(Use use, Value value);

  // Says that the nodes added carry the names of these old nodes. Without it Apply() uses the nodes that the patch
  // makes dead or replaces.
  void SetSources(std::vector<NodeId> sources);

  bool empty() const { return added_.empty() && replaced_.empty() && rewired_.empty(); }

  // Applies the edit: all of it, or nothing where a new node is refused by inference, a type or rank changes under a
  // reader in an incompatible way, or the edit would make a cycle. Then removes what became dead, infers onward from
  // what changed, and gives new nodes their original names; a new node without a name of its own that replaces an
  // output of a node that disappears takes that node's name. A value given to Replace() and its replacement must
  // have one element type and shapes that may be equal; of inputs that SetInput() changes, their reader's inference
  // judges. `model` must be the one (or a clone in the state) the patch was made for. Returns FailedPrecondition
  // where inference of a node that was there before refuses what it is to read (a patch that makes a value known may
  // show that the model can never run), otherwise InvalidArgument with the reason (or a new node's own error); the
  // model is then unchanged. Time and memory follow the nodes that change, not the model's size. Where given,
  // `touched` receives, in order of id, the nodes of which anything that a rule may look at is new: they were added,
  // read another value, have other inferred outputs, or gained or lost a reader.
  absl::Status Apply(Model* model, std::vector<NodeId>* touched = nullptr) &&;

  // Returns the ids of the nodes that the patch adds, in order.
  std::vector<NodeId> added() const;

 private:
  // An input that changes what it reads.
  struct Edge {
    Use use;
    Value from;
    Value to;
  };
  struct NewNode {
    std::string wanted_name;
    bool has_sources = false;  // Its original names were given.
  };
  // What stays known of a node that the patch removed.
  struct Removed {
    NodeId id = NodeId::kNone;
    bool is_constant = false;
    std::string name;
    std::vector<std::string> original_names;
  };

  absl::Status CollectEdges(const Model& model);
  absl::Status Edit(Model* model, Model::ReplacedOutputs* outputs);
  void Undo(Model* model, Model::ReplacedOutputs outputs);
  std::vector<NodeId> ChangedNodes(const Model& model, const Model::ReplacedOutputs& outputs) const;
  std::vector<Removed> RemoveDead(Model* model, std::vector<NodeId>* lost_reader) const;
  std::vector<std::string> SourceNames(const Model& model, const std::vector<Removed>& removed) const;
  void NameNewNodes(const std::vector<Removed>& removed, Model* model);

  int32_t first_new_id_;
  std::vector<NodeSpec> added_;
  std::vector<std::pair<Value, Value>> replaced_;
  std::vector<std::pair<Use, Value>> rewired_;
  std::optional<std::vector<NodeId>> sources_;
  // While Apply() runs.
  std::vector<Edge> edges_;
  std::vector<NewNode> new_nodes_;
  size_t edges_dropped_ = 0;
};

// Facts and services that the driver hands to every rule. Passes that must know the machine ask an interface that a
// caller registers by type.
class PassContext {
 public:
  // Registers `service`, which outlives the context, under its type; in place of the one that was there.
  template <class T>
  void Provide(const T* service) {
    for (auto& [tag, old] : services_) {
      if (tag == TypeTag<T>()) {
        old = service;
        return;
      }
    }
    services_.emplace_back(TypeTag<T>(), service);
  }
  // Returns the service of that type, or null where none was handed in: the rule then does without.
  template <class T>
  const T* Find() const {
    for (const auto& [tag, service] : services_) {
      if (tag == TypeTag<T>()) return static_cast<const T*>(service);
    }
    return nullptr;
  }

 private:
  template <class T>
  static const void* TypeTag() {
    static const char tag = 0;
    return &tag;
  }
  std::vector<std::pair<const void*, const void*>> services_;
};

// Returns the edit that applies at `node`, nullopt where the rule does not match, or an error for a broken model.
using Rule = absl::StatusOr<std::optional<Patch>> (*)(const Model& model, NodeId node, const PassContext& context);

}  // namespace burin::ir

#endif  // BURIN_IR_REWRITE_H_
