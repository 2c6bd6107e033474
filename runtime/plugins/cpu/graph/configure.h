// From a model to a graph that can be prepared: which node runs each operation, how, in what order, and with what
// between them.
//
// Use Graph::Configure, then Activate (runtime/plugins/cpu/graph/ready_graph.h). Nothing here knows how much memory
// there is, or where. Stateless, thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_GRAPH_CONFIGURE_H_
#define BURIN_RUNTIME_PLUGINS_CPU_GRAPH_CONFIGURE_H_

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "ir/model.h"
#include "runtime/plugins/cpu/graph/configure_context.h"
#include "runtime/plugins/cpu/graph/draft_from_model.h"
#include "runtime/plugins/cpu/graph/graph_draft.h"

namespace burin::cpu {

// Is a graph all of whose stages have run. It cannot be executed; Activate() makes one that can.
class ConfiguredGraph {
 public:
  const GraphDraft& graph() const { return graph_; }
  GraphDraft TakeGraph() && { return std::move(graph_); }

 private:
  friend absl::StatusOr<ConfiguredGraph> ConfigureGraph(const ModelPart& part, const ConfigureContext& context);
  explicit ConfiguredGraph(GraphDraft graph) : graph_(std::move(graph)) {}

  GraphDraft graph_;
};

// Is a stage with its name.
struct ConfigureStage {
  absl::string_view name;
  absl::Status (*run)(GraphDraft& draft, const ConfigureContext& context);
};

// Returns the stages in their order.
absl::Span<const ConfigureStage> ConfigureStages();

// Runs all stages on a part of a model, which outlives the graph. Errors as of DraftFromPart() and the stages.
absl::StatusOr<ConfiguredGraph> ConfigureGraph(const ModelPart& part, const ConfigureContext& context);

// As above, on the whole of `model` as it is recorded, whose shapes are static.
absl::StatusOr<ConfiguredGraph> ConfigureGraph(const ir::Model& model, const ConfigureContext& context);

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_GRAPH_CONFIGURE_H_
