// What the translation of one ONNX node sees and says: inputs, attributes and opset in, values out.
//
// It is the GraphBuilder of the node's model, so a translation adds operations to it directly. Attributes that refer to
// those of an enclosing function are resolved here; one of the wrong type is remembered as the node's error, like any
// other. Not thread-safe; lives for one node.
#ifndef BURIN_RUNTIME_READERS_ONNX_NODE_CONTEXT_H_
#define BURIN_RUNTIME_READERS_ONNX_NODE_CONTEXT_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/element_type.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "runtime/readers/onnx/binding.h"
#include "runtime/readers/onnx/graph_builder.h"
#include "runtime/readers/onnx/message/onnx_message.h"
#include "runtime/readers/onnx/tensor_import.h"

namespace burin::onnx {

// The attributes that a call gave to the enclosing function, by name.
using AttributeFrame = absl::flat_hash_map<absl::string_view, const AttributeMessage*>;

// A sub-graph of a node as a closed model. Its parameters are the graph's own inputs, in order, and then one for each
// captured value.
struct ImportedBody {
  std::unique_ptr<ir::Model> model;
  std::vector<ir::Value> captures;  // Values of the enclosing model.
};

// Imports sub-graphs; implemented by the importer of the enclosing graph.
class BodyImporter {
 public:
  virtual ~BodyImporter() = default;
  // Imports a sub-graph whose inputs have the given types and shapes; as many as the graph declares.
  virtual absl::StatusOr<ImportedBody> ImportBody(const GraphMessage& graph,
                                                  absl::Span<const ir::ValueInfo> inputs) = 0;
  // Makes a sub-graph part of the model around it, with its inputs standing for what is given, as many as the graph
  // declares, and returns what its outputs stand for. Nodes are named `name`/... Unimplemented where the sub-graph uses
  // what is not supported.
  virtual absl::StatusOr<std::vector<Binding>> InlineBody(const GraphMessage& graph, std::vector<Binding> inputs,
                                                          absl::string_view name) = 0;
};

class NodeContext : public GraphBuilder {
 public:
  struct Environment {
    ir::Model* model = nullptr;
    ReadBudget* budget = nullptr;
    TensorImporter* tensors = nullptr;
    BodyImporter* bodies = nullptr;
    const AttributeFrame* frame = nullptr;  // Null outside functions.
    // What the inputs are that are no tensors, at their places; may end before the inputs.
    std::vector<std::shared_ptr<const Container>> containers;
  };

  // `inputs` are the node's, absent ones as Value::None(). `opset` is the version of the node's domain that the model
  // imports, `since` the one that defined the operator's schema in force; `op` is the operation of a one-to-one
  // translation, or null.
  NodeContext(const Environment& environment, const NodeMessage& node, std::string name, std::vector<ir::Value> inputs,
              int64_t opset, int64_t since, const ir::OpDef* op);

  absl::string_view op_type() const { return node_.op_type; }
  int64_t opset() const { return opset_; }
  int64_t since() const { return since_; }
  const ir::OpDef* op() const { return op_; }

  // ---- Inputs ----

  int64_t input_count() const { return static_cast<int64_t>(inputs_.size()); }
  bool HasInput(int64_t i) const { return i < input_count() && inputs_[static_cast<size_t>(i)].exists(); }
  // Returns the input, or Value::None() where it is absent.
  ir::Value OptionalInput(int64_t i) const { return HasInput(i) ? inputs_[static_cast<size_t>(i)] : ir::Value::None(); }
  // Returns the input; fails where it is absent.
  ir::Value Input(int64_t i);
  absl::Span<const ir::Value> inputs() const { return inputs_; }
  // Returns the input where it is a container, or null. Such inputs come to the operators of the table alone that take
  // them (BURIN_ONNX_CONTAINER_TRANSLATOR).
  std::shared_ptr<const Container> ContainerInput(int64_t i) const;

  // ---- Attributes ----

  bool HasAttribute(absl::string_view name) { return Find(name) != nullptr; }
  int64_t IntAttribute(absl::string_view name, int64_t fallback);
  // Returns the element type whose number in ONNX the attribute is; fails where there is none of that number.
  ElementType ElementTypeAttribute(absl::string_view name, ElementType fallback);
  double FloatAttribute(absl::string_view name, double fallback);
  std::string StringAttribute(absl::string_view name, absl::string_view fallback);
  std::vector<int64_t> IntsAttribute(absl::string_view name, std::vector<int64_t> fallback = {});
  std::vector<double> FloatsAttribute(absl::string_view name, std::vector<double> fallback = {});
  // Returns the attribute of that type, or null where it is absent.
  const AttributeMessage* TypedAttribute(absl::string_view name, AttributeMessage::Type type);
  // Returns the tensor; fails where it is absent or bad.
  ir::Tensor TensorAttribute(absl::string_view name);
  // Returns the sub-graph; fails where it is absent.
  const GraphMessage* GraphAttribute(absl::string_view name);

  TensorImporter& tensors() { return *environment_.tensors; }
  BodyImporter& bodies() { return *environment_.bodies; }

  // ---- Outputs ----

  int64_t output_count() const { return static_cast<int64_t>(node_.outputs.size()); }
  // Returns whether the node names output `i`.
  bool WantsOutput(int64_t i) const { return i < output_count() && !node_.outputs[static_cast<size_t>(i)].empty(); }
  void SetOutput(int64_t i, ir::Value value);
  // Sets the outputs in order and returns status(): the end of a translation. Missing ones must not be wanted.
  absl::Status Finish(std::vector<ir::Value> outputs);
  const std::vector<ir::Value>& outputs() const { return outputs_; }
  // Sets an output to what a name of the graph stands for. ResourceExhausted, as the node's error, past the budget.
  void SetBinding(int64_t i, Binding binding);
  // Returns what output `i` is; nothing where it was not set.
  Binding OutputBinding(int64_t i) const;

  // Remembers and returns an Unimplemented error: a valid use of the operator that is not supported.
  absl::Status Unsupported(absl::string_view what);
  // Remembers and returns an InvalidArgument error.
  absl::Status Invalid(absl::string_view what);

 private:
  const AttributeMessage* Find(absl::string_view name);

  const Environment environment_;
  const NodeMessage& node_;
  const std::vector<ir::Value> inputs_;
  const int64_t opset_;
  const int64_t since_;
  const ir::OpDef* const op_;
  std::vector<ir::Value> outputs_;
  std::vector<std::shared_ptr<const Container>> output_containers_;  // At their places; may end before the outputs.
};

}  // namespace burin::onnx

#endif  // BURIN_RUNTIME_READERS_ONNX_NODE_CONTEXT_H_
