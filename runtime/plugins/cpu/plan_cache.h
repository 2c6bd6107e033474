// The plans of a compiled model: one for a model of static shapes, else one for each of the shapes that its inputs had
// lately, and for what the data told on the way.
//
// A shape that is new costs inference and kernels' plans, but no transformation of the model; one seen before costs a
// look and allocates nothing. What was not asked for longest goes where all takes more bytes than the bound.
// Thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_PLAN_CACHE_H_
#define BURIN_RUNTIME_PLUGINS_CPU_PLAN_CACHE_H_

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
  // The bound in bytes of a model with all its bodies: room for thousands of small plans, and for some tens of the
  // largest models'.
  static constexpr int64_t kMostBytes = int64_t{64} << 20;

  // `model`, which outlives this, is what the nodes were made of: by index of its nodes' ids, null for those that do
  // not run. With `always_segments` no plan is one graph with the memory of a user (for bodies of operations). The
  // plans of the model and those of each of its bodies may take an equal part of `most_bytes`; the last one always
  // stays.
  PlanCache(const ir::Model* model, std::vector<std::shared_ptr<const Node>> nodes, const NodeContext& context,
            bool always_segments = false, int64_t most_bytes = kMostBytes);

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

  // Returns the bytes of what is kept, without the bodies' plans.
  int64_t bytes() const;

 private:
  // A plan for shapes of the inputs, or what follows a segment: one of them, with its key.
  struct Entry {
    std::vector<ir::Shape> inputs;
    std::shared_ptr<const ModelPlan> plan;
    std::vector<int64_t> key;
    std::shared_ptr<const Segment> segment;
    int64_t bytes = 0;
  };
  // Return what there is, or null. mutex_ is held.
  std::shared_ptr<const ModelPlan> Find(absl::Span<const ir::Shape> inputs);
  std::shared_ptr<const Segment> FindNext(const std::vector<int64_t>& key);
  // Keeps an entry, which is not found yet, and moves to `gone` what is too much then. mutex_ is held.
  void Keep(Entry entry, std::list<Entry>* gone);

  const SegmentPlanner planner_;
  const bool always_segments_;
  // Of this one.
  const int64_t most_bytes_;
  absl::flat_hash_map<const ir::Model*, std::unique_ptr<PlanCache>> bodies_;
  mutable std::mutex mutex_;
  // Guarded by mutex_; the one asked for last comes first. Of the tables the keys are those of the entries.
  std::list<Entry> entries_;
  absl::flat_hash_map<absl::Span<const ir::Shape>, std::list<Entry>::iterator> plan_of_;
  absl::flat_hash_map<absl::Span<const int64_t>, std::list<Entry>::iterator> next_of_;
  int64_t bytes_ = 0;
};

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_PLAN_CACHE_H_
