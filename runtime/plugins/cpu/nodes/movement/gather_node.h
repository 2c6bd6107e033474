// Takes slices of a tensor along an axis by index: Gather, with a kernel that copies rows.
//
// An index outside of the axis gives zeros, as the operation defines. Where the axis is not constant it runs by
// reference. Row-major values of types of whole bytes, indices of i32 and i64. Immutable; thread-safe.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_NODES_MOVEMENT_GATHER_NODE_H_
#define BURIN_RUNTIME_PLUGINS_CPU_NODES_MOVEMENT_GATHER_NODE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "ir/model.h"
#include "ir/shape.h"
#include "jit/kernels/gather/gather_plan.h"
#include "runtime/plugins/cpu/graph/node.h"
#include "runtime/plugins/cpu/graph/primitive.h"
#include "runtime/plugins/cpu/nodes/reference_node.h"

namespace burin::cpu {

class GatherNode final : public Node {
 public:
  // Makes the node of `node`, which outlives it and its primitives. Unimplemented for types of no whole bytes.
  static absl::StatusOr<std::shared_ptr<const Node>> Create(const ir::Node& node, const NodeContext& context);

  const char* type_name() const override { return "Gather"; }
  std::vector<NodeCandidate> Candidates(const NodeValues& values, const NodeContext& context) const override;
  absl::StatusOr<std::unique_ptr<const Primitive>> CreatePrimitive(const NodeValues& values,
                                                                   const NodeContext& context) const override;

 private:
  explicit GatherNode(const ir::Node* node) : node_(node), reference_(node) {}

  const ir::Node* const node_;
  const ReferenceNode reference_;
};

// Returns what a Gather of dense tensors is to the kernel: `axis` and `batch_dims`, at most the axis, count from the
// front. Nothing to gather where the output has no elements.
jit::GatherSpec GatherSpecOf(ElementType type, ElementType index_type, const ir::Shape& data, const ir::Shape& indices,
                             int64_t axis, int64_t batch_dims);

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_NODES_MOVEMENT_GATHER_NODE_H_
