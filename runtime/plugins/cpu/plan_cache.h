// The plans of a compiled model: one for a model of static shapes, else one for each of the shapes that its inputs had
// lately.
//
// A shape that is new costs inference and kernels' plans, but no transformation of the model. Thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_PLAN_CACHE_H_
#define BURIN_RUNTIME_PLUGINS_CPU_PLAN_CACHE_H_

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "ir/model.h"
#include "ir/shape.h"
#include "runtime/plugins/cpu/graph/configure_context.h"
#include "runtime/plugins/cpu/graph/graph_plan.h"
#include "runtime/plugins/cpu/graph/node.h"

namespace burin::cpu {

// A plan, and the shapes of the results.
struct ModelPlan {
  std::shared_ptr<const GraphPlan> graph;
  std::vector<ir::Shape> outputs;
};

class PlanCache {
 public:
  // The most plans that are kept.
  static constexpr size_t kMostPlans = 64;

  // `model`, which outlives this, is what the nodes were made of: by index of its nodes' ids, null for those that do
  // not run.
  PlanCache(const ir::Model* model, std::vector<std::shared_ptr<const Node>> nodes, NodeContext context)
      : model_(model), nodes_(std::move(nodes)), context_(std::move(context)) {}

  // Returns the plan for inputs of these shapes, in the order of the parameters. InvalidArgument where the model
  // refuses them; else as ConfigureGraph() and GraphPlan::Activate() fail. Plans for different shapes may be made at
  // the same time; of two for one shape the first is kept, and both callers get it.
  absl::StatusOr<std::shared_ptr<const ModelPlan>> For(absl::Span<const ir::Shape> inputs);

 private:
  struct Entry {
    std::vector<ir::Shape> inputs;
    std::shared_ptr<const ModelPlan> plan;
  };

  // Returns the plan that there is, or null. mutex_ is held.
  std::shared_ptr<const ModelPlan> Find(absl::Span<const ir::Shape> inputs);
  absl::StatusOr<std::shared_ptr<const ModelPlan>> Make(absl::Span<const ir::Shape> inputs) const;

  const ir::Model* const model_;
  const std::vector<std::shared_ptr<const Node>> nodes_;
  const NodeContext context_;
  std::mutex mutex_;
  // Guarded by mutex_; the one asked for last comes first.
  std::list<Entry> entries_;
};

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_PLAN_CACHE_H_
