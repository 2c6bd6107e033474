// Makes nodes that repeat a tensor along dimensions, by strided moves.
//
// Stateless, thread-safe; what the nodes are is in runtime/plugins/cpu/nodes/movement/movement_node.h.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_NODES_MOVEMENT_BROADCAST_NODE_H_
#define BURIN_RUNTIME_PLUGINS_CPU_NODES_MOVEMENT_BROADCAST_NODE_H_

#include <memory>

#include "absl/status/statusor.h"
#include "ir/model.h"
#include "runtime/plugins/cpu/graph/node.h"

namespace burin::cpu {

// Makes the node of a Broadcast. Errors as MovementNode::Create().
absl::StatusOr<std::shared_ptr<const Node>> MakeBroadcastNode(const ir::Node& node, const NodeContext& context);

// Makes the node of a Tile. Errors as MovementNode::Create().
absl::StatusOr<std::shared_ptr<const Node>> MakeTileNode(const ir::Node& node, const NodeContext& context);

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_NODES_MOVEMENT_BROADCAST_NODE_H_
