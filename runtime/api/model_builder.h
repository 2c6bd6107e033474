// Public header "burin/model_builder.h": builds a model in C++, without a file.
//
//   burin::ModelBuilder builder("linear");
//   auto x = builder.Parameter("x", burin::ElementType::kF32, {burin::Dimension(), 64});
//   auto w = builder.Constant(weights, "w");  // f32[10,64]
//   auto y = builder.Op("MatMul", {x, w}, {{"transpose_b", "true"}}, "y");
//   builder.Result(y, "scores");
//   absl::StatusOr<burin::Model> model = builder.Build();
//
// Operations are OpenVINO's, by name ("MatMul", "Convolution", ...), with its attributes by name. Types and shapes are
// inferred as each one is added. An error does not stop the building: the first one is kept, what depends on it is
// skipped, and Build() returns it. Not for changing a model that exists: Model has what users may change. Not
// thread-safe.
#ifndef BURIN_RUNTIME_API_MODEL_BUILDER_H_
#define BURIN_RUNTIME_API_MODEL_BUILDER_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/api/model.h"
#include "runtime/api/tensor.h"

namespace burin {

namespace ir {
struct NodeSpec;
}  // namespace ir

class ModelBuilder {
 public:
  // Stands for one output of an operation of this builder. A default-constructed one stands for an optional input that
  // is absent.
  class Value {
   public:
    Value() = default;
    // Returns another output of the same operation.
    Value output(int32_t index) const { return Value(model_, node_, index); }

   private:
    friend class ModelBuilder;
    Value(const void* model, int32_t node, int32_t output) : model_(model), node_(node), output_(output) {}

    const void* model_ = nullptr;  // The graph that it belongs to; null: absent.
    int32_t node_ = -1;            // -1 with a graph: the operation could not be added.
    int32_t output_ = 0;
  };

  using Attributes = std::map<std::string, std::string>;

  explicit ModelBuilder(const std::string& name = "");
  ~ModelBuilder();
  ModelBuilder(ModelBuilder&&) noexcept;
  ModelBuilder& operator=(ModelBuilder&&) noexcept;

  // Adds an input.
  Value Parameter(const std::string& name, ElementType type, const PartialShape& shape);
  // Adds a constant, which shares the tensor's memory: that must not change any more, and, for a view, outlive the
  // model and all that is compiled from it.
  Value Constant(const Tensor& value, const std::string& name = "");
  // Adds an operation and returns its first output. `attributes` as a model's text writes them: "true", "2", "0.5",
  // "[1, 1]", "same_upper", "f16", "[?,3]", "f32[2]{1, 2}"; strings with or without quotes; those left out have their
  // defaults. `bodies` are the graphs of If and Loop, which are copied. Without a name, or with one that is taken, it
  // gets one that is free.
  Value Op(const std::string& type, const std::vector<Value>& inputs, const Attributes& attributes = {},
           const std::string& name = "", const std::vector<Model>& bodies = {});
  // Adds an output of that name.
  void Result(const Value& value, const std::string& name);
  // Declares state that operations ReadValue and Assign name by their attribute "variable_id".
  void AddVariable(const Variable& variable);
  // Gives a value tensor names.
  void SetTensorNames(const Value& value, const std::vector<std::string>& names);

  // Returns the first error, or OK.
  const absl::Status& status() const { return status_; }
  // Returns a model of what has been added so far; building may go on. InvalidArgument, naming operation and attribute,
  // for the first thing that was wrong, and for a model that has neither an output nor an Assign.
  absl::StatusOr<Model> Build() const;

 private:
  // Adds the node with these inputs, unless one of them could not be added or is another builder's.
  Value Add(ir::NodeSpec spec, const std::vector<Value>& inputs);
  // Keeps the first error.
  void Note(const absl::Status& status);

  std::unique_ptr<ir::Model> graph_;
  absl::Status status_;
};

}  // namespace burin

#endif  // BURIN_RUNTIME_API_MODEL_BUILDER_H_
