// A node of a graph: what a plugin knows of one operation, from the layouts that it can work in to the kernel.
//
// Each type of node is a class in runtime/plugins/cpu/nodes, made by the table in nodes_factory. A node outlives its
// primitives and may be asked for any number of shapes. Immutable: thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_GRAPH_NODE_H_
#define BURIN_RUNTIME_PLUGINS_CPU_GRAPH_NODE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "ir/tensor.h"
#include "jit/code_cache.h"
#include "jit/isa/target.h"
#include "runtime/executor/team.h"
#include "runtime/plugins/cpu/graph/primitive.h"
#include "runtime/plugins/cpu/graph/value_desc.h"

namespace burin::cpu {

class PackedWeightsStore;

// What is known of an input when a graph is prepared.
struct NodeInput {
  // Whether the node has it.
  bool exists = false;
  ValueDesc desc;
  // Its content where that is constant; else an empty tensor.
  ir::Tensor constant;
};

// The inputs and outputs of a node for which something is to be decided.
struct NodeValues {
  std::vector<NodeInput> inputs;
  std::vector<ValueDesc> outputs;
};

// A way in which a node can run.
struct NodeCandidate {
  // By input and by output; of absent and constant inputs it does not count.
  std::vector<Layout> inputs;
  std::vector<Layout> outputs;
  // About how many cycles of one core it takes.
  double cycles = 0;
};

// Returns the candidate of which all is row-major.
inline NodeCandidate RowMajorCandidate(const NodeValues& values) {
  return {std::vector<Layout>(values.inputs.size(), Layout::kRowMajor),
          std::vector<Layout>(values.outputs.size(), Layout::kRowMajor), 0};
}

// What nodes are prepared for.
struct NodeContext {
  jit::Target target;
  jit::CodeCache* code_cache = nullptr;
  // The size of the team.
  int threads = 1;
  // Whether a method may be chosen that is faster, but whose errors are larger by far than those of sums: Winograd's.
  bool inexact_methods = true;
  // Where packed weights are kept (runtime/plugins/cpu/constants/packed_weights.h); null for the store of the process.
  PackedWeightsStore* packed_weights = nullptr;
  // The node whose memory they are in; -1 where any will do.
  int numa_node = -1;
  // Helps to prepare; null where nobody does.
  executor::Team* team = nullptr;
};

class Node {
 public:
  virtual ~Node() = default;

  // Returns the name of the type, as execution graphs print it.
  virtual const char* type_name() const = 0;

  // Returns how it can run on `values`, whose layouts do not count: row-major, unless a node says otherwise; nothing
  // where it cannot.
  virtual std::vector<NodeCandidate> Candidates(const NodeValues& values, const NodeContext& context) const {
    static_cast<void>(context);
    return {RowMajorCandidate(values)};
  }

  // Returns the input of which output `output` is another shape of the same bytes, in row-major order; -1 where it is
  // computed.
  virtual int ViewOf(int output) const {
    static_cast<void>(output);
    return -1;
  }

  // Returns whether the primitive may write `output` over `input`, which is of equal bytes.
  virtual bool MayRunInPlace(const NodeValues& values, int input, int output) const {
    static_cast<void>(values);
    static_cast<void>(input);
    static_cast<void>(output);
    return false;
  }

  // Makes what runs, for the layouts of `values`, which are those of a candidate. Not asked for where all outputs are
  // views. Errors name what is wrong; Unimplemented what there is no kernel for: then the step's fallback runs.
  virtual absl::StatusOr<std::unique_ptr<const Primitive>> CreatePrimitive(const NodeValues& values,
                                                                           const NodeContext& context) const = 0;
};

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_GRAPH_NODE_H_
