// The plans of a compiled model: one for a model of static shapes, else one for each of the shapes that its inputs had
// lately, and for what the data told on the way.
//
// A shape that is new costs inference and kernels' plans, but no transformation of the model; one seen before costs a
// look and allocates nothing. Thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_PLAN_CACHE_H_
#define BURIN_RUNTIME_PLUGINS_CPU_PLAN_CACHE_H_

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "ir/model.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "runtime/plugins/cpu/segments/segment.h"
#include "runtime/plugins/cpu/segments/segment_planner.h"

namespace burin::cpu {

class PlanCache {
 public:
  // The most plans that are kept, and the most segments that follow others.
  static constexpr size_t kMostPlans = 64;
  static constexpr size_t kMostSegments = 512;

  // `model`, which outlives this, is what the nodes were made of: by index of its nodes' ids, null for those that do
  // not run. With `always_segments` no plan is one graph with the memory of a user (for bodies of operations).
  PlanCache(const ir::Model* model, std::vector<std::shared_ptr<const Node>> nodes, const NodeContext& context,
            bool always_segments = false);

  // Returns the plan for inputs of these shapes, in the order of the parameters. InvalidArgument where the model
  // refuses them; else as ConfigureGraph() and GraphPlan::Activate() fail. Plans for different shapes may be made at
  // the same time; of two for one shape the first is kept, and both callers get it.
  absl::StatusOr<std::shared_ptr<const ModelPlan>> For(absl::Span<const ir::Shape> inputs,
                                                       const PlanningHelp& help = {});

  // Returns what follows `segment`, given the tensors by slot. Likewise. `key` is memory to work in, kept by the caller
  // from one call to the next.
  absl::StatusOr<std::shared_ptr<const Segment>> Next(const Segment& segment, absl::Span<const ir::Tensor> slots,
                                                      std::vector<int64_t>* key);

  // Returns the plans of a body of one of the model's operations.
  PlanCache& ForBody(const ir::Model& body) const { return *bodies_.at(&body); }

  int slot_count() const { return planner_.slot_count(); }
  int SlotOf(ir::Value value) const { return planner_.SlotOf(value); }
  const ir::Model& model() const { return planner_.model(); }

 private:
  struct Entry {
    std::vector<ir::Shape> inputs;
    std::shared_ptr<const ModelPlan> plan;
  };
  struct NextEntry {
    std::vector<int64_t> key;
    std::shared_ptr<const Segment> segment;
  };

  // Return what there is, or null. mutex_ is held.
  std::shared_ptr<const ModelPlan> Find(absl::Span<const ir::Shape> inputs);
  std::shared_ptr<const Segment> FindNext(const std::vector<int64_t>& key);

  const SegmentPlanner planner_;
  const bool always_segments_;
  absl::flat_hash_map<const ir::Model*, std::unique_ptr<PlanCache>> bodies_;
  std::mutex mutex_;
  // Guarded by mutex_; the one asked for last comes first.
  std::list<Entry> entries_;
  std::list<NextEntry> next_;
  absl::flat_hash_map<std::vector<int64_t>, std::list<NextEntry>::iterator> next_of_;
};

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_PLAN_CACHE_H_
