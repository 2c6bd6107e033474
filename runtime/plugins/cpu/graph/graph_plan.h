// A graph that can be executed: primitives in their order, and where each value lies.
//
// Made by Activate() once for certain shapes; what executes it, with memory of its own, is a ReadyGraph
// (runtime/plugins/cpu/graph/ready_graph.h), one for each stream. Immutable: shared by all streams, thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_GRAPH_GRAPH_PLAN_H_
#define BURIN_RUNTIME_PLUGINS_CPU_GRAPH_GRAPH_PLAN_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/op_def.h"
#include "ir/tensor.h"
#include "runtime/plugins/cpu/graph/configure.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "runtime/plugins/cpu/graph/primitive.h"
#include "runtime/plugins/cpu/graph/value_desc.h"

namespace burin::cpu {

// Where the memory of a value is.
enum class ValueHome : uint8_t {
  kAbsent,
  // In the graph's own memory.
  kArena,
  // The user's, of a parameter or of a result.
  kInput,
  kOutput,
  // Of the plan.
  kConstant,
};

// A place in memory.
struct ValuePlace {
  ValueHome home = ValueHome::kAbsent;
  // In bytes from the start of the arena; for inputs and outputs, which of them.
  int64_t offset = 0;
  // Of a constant.
  const void* constant = nullptr;
};

// One execution of a primitive.
struct PlannedStep {
  std::unique_ptr<const Primitive> primitive;
  std::vector<ValuePlace> inputs;
  std::vector<ValuePlace> outputs;
  // Of its scratch memory, in the arena.
  int64_t scratch_offset = 0;

  // For people: the node's name and type, the user's operations, what it computes in and costs.
  std::string name;
  std::string type_name;
  std::vector<std::string> op_names;
  ValueDesc output_desc;
  ir::Cost cost;
};

struct ArenaRange {
  int64_t offset = 0;
  int64_t bytes = 0;
};

class GraphPlan {
 public:
  // Makes the primitives of `configured`, by the team of `context` where it has one, and plans its memory, for a team
  // of `context.threads`. Constants that were packed are let go one by one. Of a node that has none the step's fallback
  // runs. Unimplemented, listing all steps that neither can run; else errors as of Node::CreatePrimitive(), with the
  // node's name, and of PlanMemory().
  static absl::StatusOr<std::shared_ptr<const GraphPlan>> Activate(ConfiguredGraph configured,
                                                                   const NodeContext& context);

  const std::vector<PlannedStep>& steps() const { return steps_; }
  // Returns the bytes of memory that an execution takes, aligned to 64, and how few would do for any plan.
  int64_t arena_bytes() const { return arena_bytes_; }
  int64_t least_arena_bytes() const { return least_arena_bytes_; }
  // Returns the memory of which nothing is read any more once step `step` has run: for tests that fill it.
  const std::vector<ArenaRange>& dead_after(size_t step) const { return dead_after_[step]; }

  // Returns about how many bytes of memory the plan itself takes: its steps with their primitives, and constants that
  // nobody else has. Neither the memory of an execution nor packed weights, which other plans use too.
  int64_t bytes() const { return bytes_; }

  size_t input_count() const { return input_count_; }
  size_t output_count() const { return output_count_; }

 private:
  GraphPlan() = default;

  std::vector<PlannedStep> steps_;
  int64_t arena_bytes_ = 0;
  int64_t least_arena_bytes_ = 0;
  std::vector<std::vector<ArenaRange>> dead_after_;
  size_t input_count_ = 0;
  size_t output_count_ = 0;
  int64_t bytes_ = 0;
  // Keep the memory of constants.
  std::vector<ir::Tensor> constants_;
};

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_GRAPH_GRAPH_PLAN_H_
