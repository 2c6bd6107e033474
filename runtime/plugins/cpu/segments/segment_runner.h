// Runs the segments of an inference one after another: one for each stream, with the stream's memory.
//
// Graphs run on kernels; what cuts them runs by its definition, and its bodies by segments of their own. Used by one
// thread at a time, whose team it is given.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_SEGMENTS_SEGMENT_RUNNER_H_
#define BURIN_RUNTIME_PLUGINS_CPU_SEGMENTS_SEGMENT_RUNNER_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "ir/model.h"
#include "ir/reference_context.h"
#include "ir/tensor.h"
#include "runtime/executor/team.h"
#include "runtime/plugins/cpu/graph/graph_plan.h"
#include "runtime/plugins/cpu/graph/ready_graph.h"
#include "runtime/plugins/cpu/plan_cache.h"
#include "runtime/plugins/cpu/segments/segment.h"
#include "runtime/plugins/cpu/segments/tensor_pool.h"

namespace burin::cpu {

// Is told of what has run at the top level.
class SegmentObserver {
 public:
  virtual ~SegmentObserver() = default;
  virtual void RanStep(const PlannedStep& step, int64_t nanoseconds) = 0;
  virtual void RanCut(const ir::Node& node, int64_t nanoseconds) = 0;
};

class SegmentRunner {
 public:
  // The most segments of which the graph and the tensors that it gives are kept, and the most bytes of these beside
  // those of the segment that ran last.
  static constexpr size_t kMostReady = 512;
  static constexpr int64_t kMostBytes = int64_t{256} << 20;

  // `arena` outlives this.
  explicit SegmentRunner(GraphArena* arena) : arena_(arena) {}

  struct Run {
    PlanCache* plans = nullptr;
    // Dense tensors, one for each parameter.
    absl::Span<const ir::Tensor> inputs;
    executor::Team* team = nullptr;
    const std::atomic<bool>* cancelled = nullptr;
    // Null where the model has none.
    ir::VariableStore* variables = nullptr;
    // Null where nobody wants to know.
    SegmentObserver* observer = nullptr;
  };

  // Makes `results` one tensor for each result of the model, beginning with `first`. They may share memory with inputs,
  // constants and variables, and are not written again while someone holds them. Errors as PlanCache::Next(),
  // ReadyGraph::InferStatic() and the operations, with the name of the node.
  absl::Status Infer(const Run& run, const std::shared_ptr<const Segment>& first, std::vector<ir::Tensor>* results);

 private:
  // A segment with what this stream needs to run it.
  struct Ready {
    std::shared_ptr<const Segment> segment;
    std::unique_ptr<ReadyGraph> graph;
    // By output of the graph.
    std::vector<TensorPool> pools;
    std::vector<const void*> inputs;
    std::vector<void*> outputs;
    int64_t bytes = 0;
  };
  // What one model or body works with, kept from one inference to the next.
  struct Frame {
    std::vector<ir::Tensor> slots;
    std::vector<int64_t> key;
  };
  class Bodies;

  absl::StatusOr<std::shared_ptr<Ready>> ReadyFor(const std::shared_ptr<const Segment>& segment);
  void Forget();
  absl::Status RunGraph(const Run& run, Ready& ready, std::vector<ir::Tensor>& slots);
  absl::Status RunCut(const Run& run, const Cut& cut, std::vector<ir::Tensor>& slots);
  absl::Status RunSegments(const Run& run, const std::shared_ptr<const Segment>& first, Frame& frame,
                           std::vector<ir::Tensor>* results);

  GraphArena* const arena_;
  // The one used last comes first.
  std::list<std::shared_ptr<Ready>> ready_;
  absl::flat_hash_map<const Segment*, std::list<std::shared_ptr<Ready>>::iterator> ready_of_;
  int64_t bytes_ = 0;
  // By the plans of a model or body, which runs once at a time.
  absl::flat_hash_map<const PlanCache*, std::unique_ptr<Frame>> frames_;
};

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_SEGMENTS_SEGMENT_RUNNER_H_
