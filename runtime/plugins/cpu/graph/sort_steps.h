// The order of the steps of a graph.
//
// A stage of ConfigureGraph (runtime/plugins/cpu/graph/configure.h). Stateless, thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_GRAPH_SORT_STEPS_H_
#define BURIN_RUNTIME_PLUGINS_CPU_GRAPH_SORT_STEPS_H_

#include "absl/status/status.h"
#include "runtime/plugins/cpu/graph/configure_context.h"
#include "runtime/plugins/cpu/graph/graph_draft.h"

namespace burin::cpu {

// Orders the steps so that each comes after what it reads, and otherwise by rank; ranks become places. Internal where
// there is a cycle.
absl::Status SortTopologically(GraphDraft& draft, const ConfigureContext& context);

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_GRAPH_SORT_STEPS_H_
