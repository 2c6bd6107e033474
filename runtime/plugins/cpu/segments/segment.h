// A stretch of an inference: what can be planned before it runs, up to where the data tells shapes.
//
// A segment has a graph, or none, and then cuts: operations that run by themselves because only they tell what comes
// out (NonZero), because they have bodies (If, Loop) or because they keep state. What the cuts gave decides the segment
// that follows. Values that cross from one to another have slots. Made by SegmentPlanner; immutable: thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_SEGMENTS_SEGMENT_H_
#define BURIN_RUNTIME_PLUGINS_CPU_SEGMENTS_SEGMENT_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "base/element_type.h"
#include "ir/model.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "runtime/plugins/cpu/graph/graph_plan.h"
#include "runtime/plugins/cpu/graph/known_values.h"

namespace burin::cpu {

// Where a tensor comes from: of a slot, or a constant; neither for an absent input.
struct SegmentSource {
  int slot = -1;
  ir::Tensor constant;
};

// A tensor that a graph writes.
struct SegmentOutput {
  int slot = 0;
  ElementType type = ElementType::kUndefined;
  ir::Shape shape;
};

// An operation that runs by itself.
struct Cut {
  const ir::Node* node = nullptr;
  std::vector<SegmentSource> inputs;
  // Slots.
  std::vector<int> outputs;
};

// A value of which only the run tells what the next segment depends on: its shape, and maybe its content.
struct SegmentFinding {
  ir::Value value;
  int slot = 0;
  bool content = false;
};

// How far an inference has come.
struct SegmentProgress {
  KnownValues::Given given;
  // By node id.
  std::vector<bool> done;
  // Slots that have a tensor, ascending.
  std::vector<int> live;
};

struct Segment {
  // Differs from that of any other segment of the model.
  int64_t id = 0;
  std::shared_ptr<const GraphPlan> graph;
  // Slots, in the order of the graph's inputs.
  std::vector<int> inputs;
  // In the order of the graph's results.
  std::vector<SegmentOutput> outputs;
  // In their order.
  std::vector<Cut> cuts;
  // Slots that nobody reads afterwards.
  std::vector<int> released;

  // Whether nothing follows, and then where the model's results are.
  bool is_last = false;
  std::vector<SegmentSource> results;
  // Else what decides the next one; nothing where that is known already.
  std::vector<SegmentFinding> findings;
  SegmentProgress progress;
};

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_SEGMENTS_SEGMENT_H_
