// Makes nodes that add elements at the ends of dimensions, by strided moves.
//
// Stateless, thread-safe; what the nodes are is in runtime/plugins/cpu/nodes/movement/movement_node.h.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_NODES_MOVEMENT_PAD_NODE_H_
#define BURIN_RUNTIME_PLUGINS_CPU_NODES_MOVEMENT_PAD_NODE_H_

#include <memory>

#include "absl/status/statusor.h"
#include "ir/model.h"
#include "runtime/plugins/cpu/graph/node.h"

namespace burin::cpu {

// Makes the node of a Pad. Errors as MovementNode::Create().
absl::StatusOr<std::shared_ptr<const Node>> MakePadNode(const ir::Node& node, const NodeContext& context);

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_NODES_MOVEMENT_PAD_NODE_H_
