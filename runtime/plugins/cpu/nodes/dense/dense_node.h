// The part that nodes of dense operations have in common: what they are in a step (DenseStep), in which layouts, what
// may run in place, and the primitive.
//
// A node of an operation with a kernel that takes an epilogue derives from it and makes the kernels. Immutable;
// thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_NODES_DENSE_DENSE_NODE_H_
#define BURIN_RUNTIME_PLUGINS_CPU_NODES_DENSE_DENSE_NODE_H_

#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "jit/kernels/epilogue_emitter.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "runtime/plugins/cpu/graph/primitive.h"
#include "runtime/plugins/cpu/graph/value_desc.h"
#include "runtime/plugins/cpu/nodes/dense/dense_kernel.h"
#include "runtime/plugins/cpu/nodes/dense/dense_step.h"

namespace burin::cpu {

class DenseNode : public Node {
 public:
  std::vector<NodeCandidate> Candidates(const NodeValues& values, const NodeContext& context) const final;
  // Where sums are kept in the outputs, no input that the epilogue reads may be there.
  bool MayRunInPlace(const NodeValues& values, int input, int output) const final;
  absl::StatusOr<std::unique_ptr<const Primitive>> CreatePrimitive(const NodeValues& values,
                                                                   const NodeContext& context) const final;

 protected:
  // The operation's first input and its result are in `layout`, and so is what the epilogue reads beside the result.
  // Its columns are the last dimension of row-major results, else the channels.
  DenseNode(DenseStep step, Layout layout, const NodeContext& context)
      : step_(std::move(step)), layout_(layout), context_(context) {
    // It helps while the node is made, and may be gone later.
    context_.team = nullptr;
  }

  // Makes the kernels for `values`, which are those of the operation. `epilogue` may be null.
  virtual absl::StatusOr<DensePasses> MakePasses(const NodeValues& values, const jit::EpilogueEmitter* epilogue,
                                                 const NodeContext& context) const = 0;

 private:
  // Makes them for the values of the step.
  absl::StatusOr<DensePasses> PassesOf(const NodeValues& values, const NodeContext& context) const;

  const DenseStep step_;
  const Layout layout_;
  NodeContext context_;
};

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_NODES_DENSE_DENSE_NODE_H_
