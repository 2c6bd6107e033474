// How each step of a graph runs.
//
// A stage of ConfigureGraph (runtime/plugins/cpu/graph/configure.h). Stateless, thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_GRAPH_CHOOSE_DESCRIPTORS_H_
#define BURIN_RUNTIME_PLUGINS_CPU_GRAPH_CHOOSE_DESCRIPTORS_H_

#include "absl/status/status.h"
#include "runtime/plugins/cpu/graph/configure_context.h"
#include "runtime/plugins/cpu/graph/graph_draft.h"

namespace burin::cpu {

// Chooses a candidate for each step so that all steps and the reorders between them cost least together, and gives the
// values the layouts that their producers choose.
absl::Status InitOptimalPrimitiveDescriptors(GraphDraft& draft, const ConfigureContext& context);

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_GRAPH_CHOOSE_DESCRIPTORS_H_
