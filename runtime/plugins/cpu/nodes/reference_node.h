// Runs an operation by its definition: for all that there is no kernel for.
//
// Slow: it allocates at each execution, runs on one thread and moves each result once more. What runs so is marked in
// the execution graph by the kernel name "reference". It asks for row-major values, but takes any layout and may
// overwrite any input: where another node has no kernel after all, it runs in that one's place. Immutable; thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_NODES_REFERENCE_NODE_H_
#define BURIN_RUNTIME_PLUGINS_CPU_NODES_REFERENCE_NODE_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/model.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "runtime/plugins/cpu/graph/primitive.h"

namespace burin::cpu {

class ReferenceNode final : public Node {
 public:
  // `node`, of an operation that has a reference evaluation and no state, outlives this and its primitives.
  explicit ReferenceNode(const ir::Node* node) : node_(node) {}

  const char* type_name() const override { return "Reference"; }
  absl::StatusOr<std::unique_ptr<const Primitive>> CreatePrimitive(const NodeValues& values,
                                                                   const NodeContext& context) const override;

 private:
  const ir::Node* node_;
};

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_NODES_REFERENCE_NODE_H_
