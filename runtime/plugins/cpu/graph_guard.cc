#include "runtime/plugins/cpu/graph_guard.h"

#include <iterator>

#include "base/status_macros.h"

namespace burin::cpu {

absl::StatusOr<ReadyGraph*> GraphGuard::GraphFor(const std::shared_ptr<const GraphPlan>& plan) {
  for (auto graph = graphs_.begin(); graph != graphs_.end(); ++graph) {
    if (&(*graph)->plan() != plan.get()) continue;
    if (graph != graphs_.begin()) graphs_.splice(graphs_.begin(), graphs_, graph);
    return graphs_.front().get();
  }
  BURIN_ASSIGN_OR_RETURN(std::unique_ptr<ReadyGraph> graph, ReadyGraph::Create(plan, &arena_));
  if (graphs_.size() == kMostGraphs) graphs_.pop_back();
  graphs_.push_front(std::move(graph));
  return graphs_.front().get();
}

}  // namespace burin::cpu
