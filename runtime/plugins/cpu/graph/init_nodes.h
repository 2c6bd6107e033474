// The nodes of the steps of a graph, and how they can run.
//
// Stages of ConfigureGraph (runtime/plugins/cpu/graph/configure.h). Stateless, thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_GRAPH_INIT_NODES_H_
#define BURIN_RUNTIME_PLUGINS_CPU_GRAPH_INIT_NODES_H_

#include "absl/status/status.h"
#include "runtime/plugins/cpu/graph/configure_context.h"
#include "runtime/plugins/cpu/graph/graph_draft.h"

namespace burin::cpu {

// Makes the nodes of all steps, and their fallbacks. Unimplemented, listing all steps for which there is no node.
absl::Status InitNodes(GraphDraft& draft, const ConfigureContext& context);

// Drops steps of which no result is made.
absl::Status ApplyCommonGraphOptimizations(GraphDraft& draft, const ConfigureContext& context);

// Asks each node how it can run, and lets the fallback take the place of one that cannot. Unimplemented, listing all
// steps that neither can run; Internal for candidates that do not fit the step.
absl::Status InitDescriptors(GraphDraft& draft, const ConfigureContext& context);

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_GRAPH_INIT_NODES_H_
