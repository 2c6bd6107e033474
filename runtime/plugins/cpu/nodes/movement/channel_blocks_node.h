// Makes nodes that trade channels for blocks of pixels, or interleave them, by strided moves.
//
// Stateless, thread-safe; what the nodes are is in runtime/plugins/cpu/nodes/movement/movement_node.h.
#ifndef BURIN_RUNTIME_PLUGINS_CPU_NODES_MOVEMENT_CHANNEL_BLOCKS_NODE_H_
#define BURIN_RUNTIME_PLUGINS_CPU_NODES_MOVEMENT_CHANNEL_BLOCKS_NODE_H_

#include <memory>

#include "absl/status/statusor.h"
#include "ir/model.h"
#include "runtime/plugins/cpu/graph/node.h"

namespace burin::cpu {

// Makes the node of a DepthToSpace. Errors as MovementNode::Create().
absl::StatusOr<std::shared_ptr<const Node>> MakeDepthToSpaceNode(const ir::Node& node, const NodeContext& context);

// Makes the node of a ShuffleChannels. Errors as MovementNode::Create().
absl::StatusOr<std::shared_ptr<const Node>> MakeShuffleChannelsNode(const ir::Node& node, const NodeContext& context);

// Makes the node of a SpaceToDepth. Errors as MovementNode::Create().
absl::StatusOr<std::shared_ptr<const Node>> MakeSpaceToDepthNode(const ir::Node& node, const NodeContext& context);

}  // namespace burin::cpu

#endif  // BURIN_RUNTIME_PLUGINS_CPU_NODES_MOVEMENT_CHANNEL_BLOCKS_NODE_H_
