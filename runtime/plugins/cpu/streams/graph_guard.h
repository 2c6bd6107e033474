// The graphs of one stream, and whose turn it is.
//
// A compiled model has one for each stream. Graphs for other shapes share the memory of the stream; a graph is kept as
// long as there is its plan (runtime/plugins/cpu/plan_cache.h). Thread-safe: all that a graph does needs the lock.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_STREAMS_GRAPH_GUARD_H_
#define BURIN_RUNTIME_PLUGINS_CPU_STREAMS_GRAPH_GUARD_H_

#include <cstdint>
#include <memory>
#include <mutex>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "runtime/dev/task_executor.h"
#include "runtime/executor/flush_denormals.h"
#include "runtime/executor/team.h"
#include "runtime/plugins/cpu/graph/graph_plan.h"
#include "runtime/plugins/cpu/graph/ready_graph.h"
#include "runtime/plugins/cpu/segments/segment_planner.h"
#include "runtime/plugins/cpu/segments/segment_runner.h"

namespace burin::cpu {

class GraphGuard {
 public:
  // Is the right to use the graphs, of the thread that has it. Where the stream flushes denormals, so does the thread
  // as long as it has the right.
  class Lock {
   public:
    explicit Lock(GraphGuard& guard) : guard_(&guard), lock_(guard.mutex_), flush_(guard.flush_denormals_) {}

    // Returns the graph of `plan`, which has one, made where there is none. ResourceExhausted where memory is denied.
    absl::StatusOr<ReadyGraph*> GraphFor(const std::shared_ptr<const ModelPlan>& plan) {
      return guard_->GraphFor(plan);
    }
    // Returns what runs segments with the stream's memory.
    SegmentRunner& segments() { return guard_->segments_; }
    executor::Team* team() { return &guard_->team_; }
    // Returns who may help to plan: the team, unless its threads take denormals for zeros, which weights are not to.
    executor::Team* planners() { return guard_->flush_denormals_ ? nullptr : &guard_->team_; }

   private:
    GraphGuard* guard_;
    std::unique_lock<std::mutex> lock_;
    const executor::FlushDenormals flush_;
  };

  // For a stream of `threads` threads, of which the caller is one and `helpers` gives the others.
  GraphGuard(int threads, ITaskExecutor* helpers, bool flush_denormals = false)
      : flush_denormals_(flush_denormals), team_(threads, helpers, executor::TeamPatience(), flush_denormals) {}

  // Returns the bytes that the graphs use in turn. For who has the right to use them.
  int64_t arena_bytes() const { return arena_.bytes(); }

 private:
  // A graph, and whether others still have its plan.
  struct Kept {
    std::weak_ptr<const ModelPlan> plan;
    std::unique_ptr<ReadyGraph> graph;
  };

  absl::StatusOr<ReadyGraph*> GraphFor(const std::shared_ptr<const ModelPlan>& plan);

  const bool flush_denormals_;
  std::mutex mutex_;
  executor::Team team_;
  GraphArena arena_;
  SegmentRunner segments_{&arena_};
  absl::flat_hash_map<const GraphPlan*, Kept> graphs_;
};

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_STREAMS_GRAPH_GUARD_H_
