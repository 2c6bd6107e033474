#include "runtime/plugins/cpu/streams/graph_guard.h"

#include <utility>

#include "base/status_macros.h"

namespace burin::cpu {

absl::StatusOr<ReadyGraph*> GraphGuard::GraphFor(const std::shared_ptr<const ModelPlan>& plan) {
  const auto found = graphs_.find(plan->graph.get());
  if (found != graphs_.end()) return found->second.graph.get();
  for (auto kept = graphs_.begin(); kept != graphs_.end();) {
    if (kept->second.plan.expired()) {
      graphs_.erase(kept++);
    } else {
      ++kept;
    }
  }
  BURIN_ASSIGN_OR_RETURN(std::unique_ptr<ReadyGraph> graph, ReadyGraph::Create(plan->graph, &arena_));
  arena_.Trim();
  ReadyGraph* const made = graph.get();
  graphs_.emplace(plan->graph.get(), Kept{plan, std::move(graph)});
  return made;
}

}  // namespace burin::cpu
