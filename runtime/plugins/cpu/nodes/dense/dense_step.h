// What a dense operation is in a step: which of the step's inputs it reads, and what becomes of its result.
//
// A step is the operation by itself, or a Subgraph whose anchor it is. A value.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_NODES_DENSE_DENSE_STEP_H_
#define BURIN_RUNTIME_PLUGINS_CPU_NODES_DENSE_DENSE_STEP_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/model.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "runtime/plugins/cpu/nodes/dense/dense_epilogue.h"
#include "snippets/anchor/anchored_body.h"

namespace burin::cpu {

struct DenseStep {
  // By input of the operation: that of the step; -1 where it is absent.
  std::vector<int> inputs;
  // Null where the operation's outputs are those of the step. Else the step's outputs have the result's shape.
  std::shared_ptr<const DenseEpilogue> epilogue;

  // Returns the step of an operation by itself.
  static DenseStep Alone(const ir::Node& op);

  // Returns the step of the body's anchor. Errors as of DenseEpilogue::Create().
  static absl::StatusOr<DenseStep> OfAnchor(const snippets::AnchoredBody& body);

  // Returns the input of the step that is an input of the operation; -1 where it is absent.
  int InputOf(size_t input) const { return input < inputs.size() ? inputs[input] : -1; }

  // Returns whether the operation reads an input of the step.
  bool OperationReads(int input) const;

  // Returns the values of the operation, given those of the step; its result is of f32 where there is an epilogue.
  NodeValues OperationValues(const NodeValues& values) const;
};

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_NODES_DENSE_DENSE_STEP_H_
