// Cuts the inference of a model into segments (segment.h) for the shapes and contents that it meets.
//
// Each segment takes all nodes whose shapes are known by then. What waits for an operation that only the data tells of
// comes in a later one, which is planned once that has run: the shapes that it gave are then as good as any others. A
// model of which all is known beforehand is one graph. Immutable: thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_SEGMENTS_SEGMENT_PLANNER_H_
#define BURIN_RUNTIME_PLUGINS_CPU_SEGMENTS_SEGMENT_PLANNER_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "ir/model.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "runtime/executor/team.h"
#include "runtime/plugins/cpu/graph/configure.h"
#include "runtime/plugins/cpu/graph/draft_from_model.h"
#include "runtime/plugins/cpu/graph/graph_plan.h"
#include "runtime/plugins/cpu/graph/known_values.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "runtime/plugins/cpu/segments/segment.h"

namespace burin::cpu {

// A model for certain shapes of its inputs: one graph, or a segment that begins it.
struct ModelPlan {
  // Has all parameters as inputs and all results as results; null where there are segments.
  std::shared_ptr<const GraphPlan> graph;
  // The shapes of the results, beside a graph.
  std::vector<ir::Shape> outputs;
  std::shared_ptr<const Segment> segment;
};

// What helps to plan once.
struct PlanningHelp {
  // Makes primitives and packs weights; null where nobody helps.
  executor::Team* team = nullptr;
  // Called where one graph will be the only plan, when all is known that the model's constants are asked for and before
  // kernels take theirs from the graph: the model may let go of them then.
  std::function<void()> configured = nullptr;
};

class SegmentPlanner {
 public:
  // `model`, which outlives this and all that it makes, has no cycle. Nodes were made of its nodes: by index of their
  // ids, null for those that no graph holds.
  SegmentPlanner(const ir::Model* model, std::vector<std::shared_ptr<const Node>> nodes, NodeContext context);

  // Plans for inputs of these shapes, in the order of the parameters; in segments even where one graph would do, if
  // `always_segments`. InvalidArgument where the model refuses them; else as ConfigureGraph() and
  // GraphPlan::Activate().
  absl::StatusOr<ModelPlan> Begin(absl::Span<const ir::Shape> inputs, bool always_segments,
                                  const PlanningHelp& help = {}) const;

  // Plans what follows `segment`, not the last one, once it has run. `slots` are the tensors by slot. Errors likewise.
  absl::StatusOr<std::shared_ptr<const Segment>> Next(const Segment& segment, absl::Span<const ir::Tensor> slots) const;

  // Returns the number of slots, and that of a value.
  int slot_count() const { return slot_count_; }
  int SlotOf(ir::Value value) const { return first_slot_[static_cast<size_t>(Index(value.node))] + value.output; }

  const ir::Model& model() const { return *model_; }

 private:
  absl::StatusOr<ConfiguredGraph> Configure(const ModelPart& part) const;
  absl::StatusOr<std::shared_ptr<const Segment>> Form(const KnownValues& known, SegmentProgress progress) const;

  const ir::Model* const model_;
  const std::vector<std::shared_ptr<const Node>> nodes_;
  const NodeContext context_;
  std::vector<ir::NodeId> order_;
  // By node id.
  std::vector<int> first_slot_;
  int slot_count_ = 0;
  mutable std::atomic<int64_t> next_id_{0};
};

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_SEGMENTS_SEGMENT_PLANNER_H_
