// The beginning of a graph: the steps and values of a model, or of a part of it, whose shapes are known.
//
// Stateless, thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_GRAPH_DRAFT_FROM_MODEL_H_
#define BURIN_RUNTIME_PLUGINS_CPU_GRAPH_DRAFT_FROM_MODEL_H_

#include <vector>

#include "absl/status/statusor.h"
#include "ir/model.h"
#include "runtime/plugins/cpu/graph/graph_draft.h"
#include "runtime/plugins/cpu/graph/known_values.h"

namespace burin::cpu {

// Returns whether a node has something to run: it is neither a constant, nor what comes in or goes out.
bool Computes(const ir::Node& node);

// Nodes of a model that run together.
struct ModelPart {
  // All outlive what is made of the part.
  const ir::Model* model = nullptr;
  const KnownValues* known = nullptr;

  // Nodes that compute something, in any order.
  std::vector<ir::NodeId> nodes;
  // What they read of others, in the order of the graph's parameters; values of known content need not be there.
  std::vector<ir::Value> inputs;
  // What others read of them, in the order of the graph's results; or any value whose content is known, or an input.
  std::vector<ir::Value> results;
};

// Returns the part that all of `model` is: its nodes in the order of their ids but for what is known, its parameters
// and results.
ModelPart WholeOf(const ir::Model& model, const KnownValues& known);

// Returns a step for each node of the part, and a value for each of its inputs and outputs, and for constants that are
// read. FailedPrecondition, naming the node, where a shape is dynamic; Internal where a value comes from nowhere.
absl::StatusOr<GraphDraft> DraftFromPart(const ModelPart& part);

// As DraftFromPart(), of the whole of `model` as it is recorded.
absl::StatusOr<GraphDraft> DraftFromModel(const ir::Model& model);

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_GRAPH_DRAFT_FROM_MODEL_H_
