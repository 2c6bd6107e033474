#include "runtime/plugins/cpu/plan_cache.h"

#include <cstdint>

#include "absl/container/flat_hash_map.h"
#include "base/status_macros.h"
#include "ir/partial_shape.h"
#include "runtime/plugins/cpu/graph/configure.h"

namespace burin::cpu {

absl::StatusOr<std::shared_ptr<const ModelPlan>> PlanCache::For(absl::Span<const ir::Shape> inputs) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    std::shared_ptr<const ModelPlan> plan = Find(inputs);
    if (plan != nullptr) return plan;
  }
  BURIN_ASSIGN_OR_RETURN(const std::shared_ptr<const ModelPlan> plan, Make(inputs));
  std::lock_guard<std::mutex> lock(mutex_);
  // Another thread may have been faster: streams then need one graph only.
  std::shared_ptr<const ModelPlan> earlier = Find(inputs);
  if (earlier != nullptr) return earlier;
  entries_.push_front({{inputs.begin(), inputs.end()}, plan});
  if (entries_.size() > kMostPlans) entries_.pop_back();
  return plan;
}

std::shared_ptr<const ModelPlan> PlanCache::Find(absl::Span<const ir::Shape> inputs) {
  for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
    if (absl::MakeConstSpan(entry->inputs) != inputs) continue;
    if (entry != entries_.begin()) entries_.splice(entries_.begin(), entries_, entry);
    return entries_.front().plan;
  }
  return nullptr;
}

absl::StatusOr<std::shared_ptr<const ModelPlan>> PlanCache::Make(absl::Span<const ir::Shape> inputs) const {
  const std::unique_ptr<ir::Model> sized = model_->Clone();
  absl::flat_hash_map<int64_t, ir::PartialShape> shapes;
  for (size_t i = 0; i < inputs.size(); ++i) shapes.emplace(static_cast<int64_t>(i), ir::PartialShape(inputs[i]));
  BURIN_RETURN_IF_ERROR(sized->Reshape(shapes));
  const auto node_of = [this](const ir::Node& node, const NodeContext&) -> absl::StatusOr<std::shared_ptr<const Node>> {
    return nodes_[static_cast<size_t>(ir::Index(node.id()))];
  };
  const ConfigureContext context{node_of, context_};
  BURIN_ASSIGN_OR_RETURN(const ConfiguredGraph configured, ConfigureGraph(*sized, context));
  auto plan = std::make_shared<ModelPlan>();
  BURIN_ASSIGN_OR_RETURN(plan->graph, GraphPlan::Activate(configured, context_));
  for (const ir::NodeId result : sized->results()) {
    plan->outputs.push_back(sized->info(sized->node(result).input(0)).shape.ToShape());
  }
  return plan;
}

}  // namespace burin::cpu
