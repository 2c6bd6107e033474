// The graphs of a compiled model, one for each stream, and what they share.
//
// Streams on one NUMA node share plans, and with them packed weights, which are in the memory of the node; on a machine
// of one node all do. What is known when a model is compiled is made then: the plans of all nodes at the same time,
// each by threads on its node, so that what they write first is there; then the graphs. Thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_STREAMS_STREAM_GRAPHS_H_
#define BURIN_RUNTIME_PLUGINS_CPU_STREAMS_STREAM_GRAPHS_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "ir/model.h"
#include "ir/shape.h"
#include "runtime/executor/cpu_streams_executor.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "runtime/plugins/cpu/plan_cache.h"
#include "runtime/plugins/cpu/segments/segment_planner.h"
#include "runtime/plugins/cpu/streams/graph_guard.h"

namespace burin::cpu {

class StreamGraphs {
 public:
  struct Options {
    // How many NUMA nodes the machine has.
    int numa_nodes = 1;
    bool flush_denormals = false;
  };

  // Makes the graphs of the streams of `executor`, which outlives them, as does `model`. The nodes are those of the
  // model, as PlanCache takes them; `context` says how they are prepared, but for threads and memory. A model of static
  // shapes is planned at once, by as many threads as will run it, and lets go of what is packed. Errors as
  // PlanCache::For(), of the first node that has one: nothing is left then.
  static absl::StatusOr<std::unique_ptr<StreamGraphs>> Create(ir::Model* model,
                                                              const std::vector<std::shared_ptr<const Node>>& nodes,
                                                              const NodeContext& context,
                                                              const executor::CpuStreamsExecutor& executor,
                                                              const Options& options);

  GraphGuard& graph(int stream) { return *graphs_[static_cast<size_t>(stream)]; }
  PlanCache& plans(int stream) { return *parts_[part_of_[static_cast<size_t>(stream)]].plans; }

  // Returns the plan of a model of static shapes, in the first stream; null for another one.
  const ModelPlan* static_plan() const { return parts_[0].plan.get(); }

 private:
  // The streams on one node.
  struct Part {
    // -1 where memory of any node will do.
    int numa_node = -1;
    std::vector<int> streams;
    std::unique_ptr<PlanCache> plans;
    // Of a model of static shapes.
    std::shared_ptr<const ModelPlan> plan;
  };

  StreamGraphs(const executor::CpuStreamsExecutor& executor, const Options& options);

  // Plans for inputs of these shapes, the only ones.
  absl::Status Prepare(const std::vector<ir::Shape>& shapes, const executor::CpuStreamsExecutor& executor,
                       ir::Model* model);
  absl::Status PreparePart(const std::vector<ir::Shape>& shapes, const PlanningHelp& help, Part& part);

  std::vector<Part> parts_;
  // By stream.
  std::vector<size_t> part_of_;
  // Their memory is that of plans no longer than these.
  std::vector<std::unique_ptr<GraphGuard>> graphs_;
};

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_STREAMS_STREAM_GRAPHS_H_
