// The reorders between the steps of a graph.
//
// Stages of ConfigureGraph (runtime/plugins/cpu/graph/configure.h). Stateless, thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_GRAPH_EDGE_CONFLICTS_H_
#define BURIN_RUNTIME_PLUGINS_CPU_GRAPH_EDGE_CONFLICTS_H_

#include "absl/status/status.h"
#include "runtime/plugins/cpu/graph/configure_context.h"
#include "runtime/plugins/cpu/graph/graph_draft.h"

namespace burin::cpu {

// Puts a reorder in front of each input that wants another layout than the value has, and of each result that is not
// row-major, or that is a parameter, a constant, or another result.
absl::Status ResolveEdgeConflicts(GraphDraft& draft, const ConfigureContext& context);

// Makes one reorder of several that do the same to one value.
absl::Status ShareReorders(GraphDraft& draft, const ConfigureContext& context);

// Reads what a reorder of a reorder restores where it was before.
absl::Status ApplyImplSpecificGraphOptimizations(GraphDraft& draft, const ConfigureContext& context);

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_GRAPH_EDGE_CONFLICTS_H_
