// Builds a model from the records of a file: nodes with given ids, names that must be their own, a given signature.
//
// For the readers of the project's own forms (ir/text.h, ir/binary.h), whose input may be hostile. Not for building
// models otherwise: Model has all that is needed. Not thread-safe.
#ifndef BURIN_IR_FORMS_MODEL_ASSEMBLER_H_
#define BURIN_IR_FORMS_MODEL_ASSEMBLER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ir/model.h"

namespace burin::ir {

// Bounds how many ids all models of one file may span together, body graphs included, so that ids with large gaps cost
// memory in proportion to the file at most.
class IdBudget {
 public:
  // Allows ids for a file, or a part that describes graphs, of that many bytes.
  explicit IdBudget(size_t source_bytes) : left_(2 * source_bytes + 65536) {}

  // Takes `ids` away. InvalidArgument where fewer are left.
  absl::Status Take(size_t ids);

 private:
  size_t left_;
};

class ModelAssembler {
 public:
  // Starts a model of `node_count` nodes. `budget` outlives the assembler.
  ModelAssembler(std::string name, int64_t node_count, IdBudget* budget);

  // As Model::AddVariable.
  absl::Status AddVariable(Variable variable) { return model_->AddVariable(std::move(variable)); }

  // As Model::AddNodeWithId; InvalidArgument also where another node has the name already.
  absl::Status AddNode(NodeId id, NodeSpec spec);

  // Returns a node that was added.
  const Node& node(NodeId id) const { return model_->node(id); }

  // The order of parameters, results and sinks where it is not that in which they were added.
  struct Order {
    std::optional<std::vector<NodeId>> parameters;
    std::optional<std::vector<NodeId>> results;
    std::optional<std::vector<NodeId>> sinks;
  };

  // Returns the model. InvalidArgument where an order does not hold each node of its kind exactly once.
  absl::StatusOr<std::unique_ptr<Model>> Finish(Order order) &&;

 private:
  std::unique_ptr<Model> model_;
  const int64_t node_count_;
  IdBudget* const budget_;
};

}  // namespace burin::ir

#endif  // BURIN_IR_FORMS_MODEL_ASSEMBLER_H_
