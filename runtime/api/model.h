// Public header "burin/model.h": a model as users see it.
//
// A Model is a handle: copies refer to one model; Clone() makes another. Not thread-safe for Reshape; const methods may
// run concurrently.
#ifndef BURIN_RUNTIME_API_MODEL_H_
#define BURIN_RUNTIME_API_MODEL_H_

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/api/tensor.h"
#include "runtime/dev/port.h"

namespace burin {

namespace ir {
class Model;
}  // namespace ir

class Model {
 public:
  // Wraps a graph. For readers, tools and tests; users get models from Core::ReadModel.
  explicit Model(std::shared_ptr<ir::Model> graph) : graph_(std::move(graph)) {}

  const std::string& name() const;
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
  // Returns how many operations there are, constants, inputs and outputs included.
  int64_t operation_count() const;

  // Gives inputs new shapes and infers all others from them; the model is unchanged where that fails. InvalidArgument
  // naming the operation that refuses.
  absl::Status Reshape(const std::map<std::string, PartialShape>& shapes_by_name);
  absl::Status Reshape(const std::map<size_t, PartialShape>& shapes_by_index);
  // For a model with one input.
  absl::Status Reshape(const PartialShape& shape);

  // Returns an independent copy; constants' memory is shared.
  Model Clone() const;

  // Returns the graph behind. For plugins, tools and tests.
  const ir::Model& graph() const { return *graph_; }

 private:
  std::shared_ptr<ir::Model> graph_;
};

}  // namespace burin

#endif  // BURIN_RUNTIME_API_MODEL_H_
