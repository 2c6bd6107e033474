// Which outputs of a graph are, or may be, where an input is.
//
// A stage of ConfigureGraph (runtime/plugins/cpu/graph/configure.h). Stateless, thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_GRAPH_RESOLVE_MEMORY_H_
#define BURIN_RUNTIME_PLUGINS_CPU_GRAPH_RESOLVE_MEMORY_H_

#include "absl/status/status.h"
#include "runtime/plugins/cpu/graph/configure_context.h"
#include "runtime/plugins/cpu/graph/graph_draft.h"

namespace burin::cpu {

// Finds for each output the input that it is a view of, or best overwrites: of several that it may, the largest one
// that is computed and that nobody else reads.
absl::Status ResolveInplaceDirections(GraphDraft& draft, const ConfigureContext& context);

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_GRAPH_RESOLVE_MEMORY_H_
