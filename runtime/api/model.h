// Public header "burin/model.h": a model as users see it.
//
// A Model is a handle: copies refer to one model; Clone() makes another. Compiling takes a copy, so that later changes
// do not reach what was compiled. Const methods may run concurrently; anything else needs outside order.
#ifndef BURIN_RUNTIME_API_MODEL_H_
#define BURIN_RUNTIME_API_MODEL_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/api/operation.h"
#include "runtime/api/tensor.h"
#include "runtime/dev/port.h"

namespace burin {

namespace ir {
class Model;
}  // namespace ir

// State that survives from one inference to the next.
struct Variable {
  std::string id;
  ElementType element_type = ElementType::kUndefined;
  PartialShape shape;
};

class Model {
 public:
  // Wraps a graph. For readers, tools and tests; users get models from Core::ReadModel or a ModelBuilder.
  explicit Model(std::shared_ptr<ir::Model> graph) : graph_(std::move(graph)) {}

  const std::string& name() const;
  void SetName(const std::string& name);

  // ---- Ports ----

  // Return the ports, in the order of the model's signature.
  std::vector<Port> inputs() const;
  std::vector<Port> outputs() const;
  // Return one port. NotFound or InvalidArgument, listing the ports, where there is none.
  absl::StatusOr<Port> input(size_t index) const;
  absl::StatusOr<Port> input(const std::string& name) const;
  absl::StatusOr<Port> output(size_t index) const;
  absl::StatusOr<Port> output(const std::string& name) const;

  // Returns whether any input or output has a dynamic shape.
  bool is_dynamic() const;
  std::vector<Variable> variables() const;

  // Makes a value an output as well, after the others, and returns its port; a value that is an output already stays
  // that one output. The first form takes a tensor's name or an operation's, of which it takes the only output. A value
  // without a tensor name gets one: the operation's, with ":1" for its second output and so on. NotFound where the
  // model has no such operation; InvalidArgument where that has no such output, or several and none is chosen.
  absl::StatusOr<Port> AddOutput(const std::string& tensor_or_operation);
  absl::StatusOr<Port> AddOutput(const std::string& operation, size_t output_index);

  // Names a port: the first name is the one that messages print, and all find it. They replace an input's tensor names,
  // and stand before those of the value that an output gives; the port's operation finds it as well. InvalidArgument
  // for an empty list or name, a name given twice, or one that another port of the same kind has.
  absl::Status SetPortNames(const Port& port, const std::vector<std::string>& names);

  // ---- Shapes ----

  // Gives inputs new shapes and infers all others from them; the model is unchanged where that fails. InvalidArgument
  // naming the operation that refuses, for an input named twice, and for a port that is no input of this model.
  absl::Status Reshape(const std::map<std::string, PartialShape>& shapes_by_name);
  absl::Status Reshape(const std::map<size_t, PartialShape>& shapes_by_index);
  absl::Status Reshape(const std::vector<std::pair<Port, PartialShape>>& shapes_by_port);
  // For a model with one input.
  absl::Status Reshape(const PartialShape& shape);

  // Says which axis of a port means what ("NCHW", "N...C", "[N,C,H,W]", "?"; "..." takes it back): the batch is read
  // and set by it. Changes no shape. InvalidArgument for a malformed layout, or one that does not fit the port's rank;
  // NotFound for an unknown name, and InvalidArgument for one that both an input and an output have.
  absl::Status SetLayout(const std::string& port_name, const std::string& layout);
  absl::Status SetLayout(const Port& port, const std::string& layout);
  // Returns the size of axis N of the inputs whose layout has one. InvalidArgument where no layout has one, where an
  // input's rank is not known, or where the inputs' batches contradict each other.
  absl::StatusOr<Dimension> GetBatch() const;
  // Reshapes those inputs to that batch. Errors of GetBatch and Reshape; the model is then unchanged.
  absl::Status SetBatch(const Dimension& batch);

  // ---- Operations ----

  // Returns how many operations there are, constants, inputs and outputs included.
  int64_t operation_count() const;
  // Returns all operations, each after those that it reads. InvalidArgument where the graph has a cycle.
  absl::StatusOr<std::vector<Operation>> GetOperations() const;
  // Returns one operation. NotFound where the model has none of that name.
  absl::StatusOr<Operation> GetOperation(const std::string& name) const;
  // Gives an operation another name. NotFound for an unknown one; InvalidArgument for an empty name or a taken one.
  absl::Status RenameOperation(const std::string& name, const std::string& new_name);

  // ---- Runtime info ----

  // What is known of the model besides what it computes: text under a path of keys ("options/cache/mode"). Saved with
  // the model; no device computes otherwise for it.

  // Returns the entry at `path`. NotFound, listing the paths, where there is none.
  absl::StatusOr<std::string> GetRuntimeInfo(const std::string& path) const;
  // Returns the entries at and below `path`, with their whole paths; by default all.
  std::map<std::string, std::string> GetRuntimeInfoBelow(const std::string& path = "") const;
  // Sets an entry, or replaces it. InvalidArgument for a path with an empty key.
  absl::Status SetRuntimeInfo(const std::string& path, const std::string& text);
  // Removes the entries at and below `path`; returns how many there were.
  size_t RemoveRuntimeInfo(const std::string& path);
  // Sets an entry of an operation, which Operation::runtime_info shows. NotFound for an unknown operation;
  // InvalidArgument for a path with an empty key, and for a layout that is none.
  absl::Status SetOperationRuntimeInfo(const std::string& operation, const std::string& path, const std::string& text);

  // ---- As a whole ----

  // Returns an independent copy; constants' memory is shared.
  Model Clone() const;

  // Prints the model as a readable text that FromText reads. Constants of more elements than `max_constant_elements`
  // (negative: none) show a hash instead, and such a text cannot be read. InvalidArgument where the graph has a cycle.
  absl::StatusOr<std::string> ToText(int64_t max_constant_elements = -1) const;
  // Reads such a text. InvalidArgument with line and column.
  static absl::StatusOr<Model> FromText(const std::string& text);

  // Checks the whole model: Internal naming what is broken. What readers and builders give is valid.
  absl::Status Validate() const;
  // Computes the outputs by the operations' definitions, slowly; without a device. One tensor for each input, in order;
  // variables start anew. InvalidArgument where an input does not satisfy its port; an operation's own error with its
  // name.
  absl::StatusOr<std::vector<Tensor>> Evaluate(const std::vector<Tensor>& inputs) const;

  // Returns the graph behind. For plugins, tools and tests.
  const ir::Model& graph() const { return *graph_; }

 private:
  std::shared_ptr<ir::Model> graph_;
};

}  // namespace burin

#endif  // BURIN_RUNTIME_API_MODEL_H_
