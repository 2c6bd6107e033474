// A graph while it is configured: steps, values, and what has been decided of them so far.
//
// Plain data, beside a model that outlives it, that the stages of Graph::Configure
// (runtime/plugins/cpu/graph/configure.h) fill in one after another. It cannot be executed. Used by one thread.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_GRAPH_GRAPH_DRAFT_H_
#define BURIN_RUNTIME_PLUGINS_CPU_GRAPH_GRAPH_DRAFT_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/tensor.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "runtime/plugins/cpu/graph/value_desc.h"

namespace burin::cpu {

// A value: what a step computes, a parameter, or a constant.
struct GraphValue {
  ValueDesc desc;
  // Of a constant.
  ir::Tensor constant;
  // The number of the parameter, or -1.
  int parameter = -1;

  bool is_constant() const { return constant.has_value(); }
  bool is_computed() const { return !is_constant() && parameter < 0; }
};

// How an output gets its memory.
struct OutputMemory {
  enum class Kind : uint8_t {
    // It is written to memory of its own.
    kOwn,
    // It is written over an input, where nobody needs that afterwards.
    kMayOverwrite,
    // It is the same bytes as an input.
    kView,
  };
  Kind kind = Kind::kOwn;
  // Of the step; for the last two kinds.
  int input = -1;
};

// One execution of a node.
struct GraphStep {
  // What the model says, for steps that come from it; null for others.
  const ir::Node* origin = nullptr;
  std::shared_ptr<const Node> node;
  // What runs in its place on shapes or layouts that it has no kernel for; null where nothing does.
  std::shared_ptr<const Node> fallback;
  // Of the node in the model; for a step that the plugin inserted, made from what it serves.
  std::string name;
  // The user's operations that it stands for.
  std::vector<std::string> op_names;
  // Numbers of values; -1 for an absent input.
  std::vector<int> inputs;
  std::vector<int> outputs;
  std::vector<NodeCandidate> candidates;
  // Which of them it is.
  int chosen = 0;
  // By output.
  std::vector<OutputMemory> memory;
  // Of steps that could run next, that of least rank does.
  int64_t rank = 0;
  // What it costs by the op's own account.
  ir::Cost cost;
};

struct GraphDraft {
  std::vector<GraphValue> values;
  // In the order of execution.
  std::vector<GraphStep> steps;
  // The values of the parameters, and of the results, in their order.
  std::vector<int> parameters;
  std::vector<int> results;

  // Returns the numbers of the steps that compute each value, -1 for others; and those that read each, in the order of
  // the steps, once each.
  std::vector<int> Producers() const;
  std::vector<std::vector<int>> Readers() const;

  // Returns the value of whose bytes `value` is a view, itself where it is none, given Producers().
  int Viewed(int value, const std::vector<int>& producers) const;

  // Returns what the node of a step is asked about: descriptions and constants of its values.
  NodeValues ValuesOf(const GraphStep& step) const;
};

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_GRAPH_GRAPH_DRAFT_H_
