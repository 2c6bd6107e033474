// The names that nodes of one graph can read, and the values they stand for.
//
// A scope belongs to one graph: the main one, a sub-graph (whose scope also sees the names of the graphs around it) or
// the body of a function (which sees its own alone). A name of an enclosing graph becomes a parameter of the
// sub-graph's model at its first use, and a capture; a constant is simply made again, sharing its bytes. Initialisers
// become constants at their first use. A sub-graph that becomes part of the model around it (BodyImporter::InlineBody)
// has no captures. Not thread-safe; lives for one read.
#ifndef BURIN_RUNTIME_READERS_ONNX_SCOPE_H_
#define BURIN_RUNTIME_READERS_ONNX_SCOPE_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "ir/model.h"
#include "runtime/readers/onnx/binding.h"
#include "runtime/readers/onnx/message/onnx_message.h"
#include "runtime/readers/onnx/message/read_budget.h"
#include "runtime/readers/onnx/message/tensor_message.h"
#include "runtime/readers/onnx/tensor_import.h"

namespace burin::onnx {

class Scope {
 public:
  using Binding = onnx::Binding;

  // All outlive the scope; `parent` is null for the main graph and for functions. `names_outputs` says whether values
  // keep the file's names (those inside a function stand for nothing outside).
  Scope(ir::Model* model, Scope* parent, TensorImporter* tensors, ReadBudget* budget, bool names_outputs)
      : model_(model), parent_(parent), tensors_(tensors), budget_(budget), names_outputs_(names_outputs) {}

  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  ir::Model& model() { return *model_; }
  bool names_outputs() const { return names_outputs_; }

  // Gives a name to a value. InvalidArgument where this graph has the name already, or the name is empty.
  absl::Status Define(absl::string_view name, Binding binding);
  // Makes a name stand for an initialiser of this graph; the message outlives the scope. InvalidArgument as Define.
  absl::Status DefineInitializer(absl::string_view name, const TensorMessage* tensor);
  absl::Status DefineInitializer(absl::string_view name, const SparseTensorMessage* tensor);

  bool HasInitializer(absl::string_view name) const { return initializers_.contains(name); }

  // Returns whether the name can be read here.
  bool Knows(absl::string_view name) const;
  // Returns what the name stands for, making the constant or the capture that it needs; nullopt for an unknown name.
  // Errors are those of a bad initialiser or of an exhausted budget.
  absl::StatusOr<std::optional<Binding>> Find(absl::string_view name);

  // Returns the values of the parent's model that became parameters here, in the order of those parameters.
  const std::vector<ir::Value>& captures() const { return captures_; }

 private:
  struct Initializer {
    const TensorMessage* dense = nullptr;
    const SparseTensorMessage* sparse = nullptr;
  };
  absl::Status CheckNew(absl::string_view name) const;
  absl::StatusOr<Binding> Materialize(absl::string_view name, const Initializer& initializer);
  absl::StatusOr<Binding> Capture(absl::string_view name, const Binding& outer);
  absl::StatusOr<Binding> AddConstant(absl::string_view name, ir::Tensor tensor);

  ir::Model* const model_;
  Scope* const parent_;
  TensorImporter* const tensors_;
  ReadBudget* const budget_;
  const bool names_outputs_;
  absl::flat_hash_map<std::string, Binding> values_;
  absl::flat_hash_map<std::string, Initializer> initializers_;
  std::vector<ir::Value> captures_;
};

}  // namespace burin::onnx

#endif  // BURIN_RUNTIME_READERS_ONNX_SCOPE_H_
