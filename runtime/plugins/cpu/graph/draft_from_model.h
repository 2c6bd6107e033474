// The beginning of a graph: the steps and values of a model whose shapes are static.
//
// Stateless, thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_GRAPH_DRAFT_FROM_MODEL_H_
#define BURIN_RUNTIME_PLUGINS_CPU_GRAPH_DRAFT_FROM_MODEL_H_

#include "absl/status/statusor.h"
#include "ir/model.h"
#include "runtime/plugins/cpu/graph/graph_draft.h"

namespace burin::cpu {

// Returns a step for each node of `model` that computes what inference does not know, in the order of their ids, and a
// value for each output. `model` outlives the draft. FailedPrecondition, naming the node, where a shape is dynamic.
absl::StatusOr<GraphDraft> DraftFromModel(const ir::Model& model);

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_GRAPH_DRAFT_FROM_MODEL_H_
