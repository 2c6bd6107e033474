// Makes nodes that join tensors along an axis, by strided moves.
//
// Stateless, thread-safe; what the nodes are is in runtime/plugins/cpu/nodes/movement/movement_node.h.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_NODES_MOVEMENT_CONCAT_NODE_H_
#define BURIN_RUNTIME_PLUGINS_CPU_NODES_MOVEMENT_CONCAT_NODE_H_

#include <memory>

#include "absl/status/statusor.h"
#include "ir/model.h"
#include "runtime/plugins/cpu/graph/node.h"

namespace burin::cpu {

// Makes the node of a Concat. Errors as MovementNode::Create().
absl::StatusOr<std::shared_ptr<const Node>> MakeConcatNode(const ir::Node& node, const NodeContext& context);

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_NODES_MOVEMENT_CONCAT_NODE_H_
