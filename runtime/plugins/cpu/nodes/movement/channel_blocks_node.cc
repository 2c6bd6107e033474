#include "runtime/plugins/cpu/nodes/movement/channel_blocks_node.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/status_macros.h"
#include "ir/ops/family/index_space.h"
#include "ir/ops/family/integer_input.h"
#include "ir/ops/family/space_block.h"
#include "ir/ops/shuffle_channels.h"
#include "ir/shape.h"
#include "runtime/plugins/cpu/graph/value_desc.h"
#include "runtime/plugins/cpu/nodes/copy_primitive.h"
#include "runtime/plugins/cpu/nodes/movement/movement_node.h"

namespace burin::cpu {

namespace {

absl::StatusOr<std::vector<ElementMove>> DepthToSpaceMoves(const ir::Node& node, const NodeValues& values) {
  const ValueDesc& output = values.outputs[0];
  const ir::SpaceBlockViews views = ir::ViewSpaceBlocks(node.attributes_as<ir::SpaceBlockAttributes>(), output.shape);
  std::vector<ElementMove> moves;
  AppendMove(output.type, views.box, {0, views.depth}, {0, views.space}, &moves);
  return moves;
}

absl::StatusOr<std::vector<ElementMove>> SpaceToDepthMoves(const ir::Node& node, const NodeValues& values) {
  const ValueDesc& data = values.inputs[0].desc;
  const ir::SpaceBlockViews views = ir::ViewSpaceBlocks(node.attributes_as<ir::SpaceBlockAttributes>(), data.shape);
  std::vector<ElementMove> moves;
  AppendMove(data.type, views.box, {0, views.space}, {0, views.depth}, &moves);
  return moves;
}

absl::StatusOr<std::vector<ElementMove>> ShuffleMoves(const ir::Node& node, const NodeValues& values) {
  const ir::ShuffleChannelsAttributes& attributes = node.attributes_as<ir::ShuffleChannelsAttributes>();
  const ValueDesc& data = values.inputs[0].desc;
  BURIN_ASSIGN_OR_RETURN(const int64_t axis,
                         ir::WrapAxis("ShuffleChannels_c1", attributes.axis, static_cast<int64_t>(data.shape.size())));
  std::vector<ElementMove> moves;
  // Products of an empty tensor's dimensions may be beyond int64.
  if (std::find(data.shape.begin(), data.shape.end(), 0) != data.shape.end()) return moves;
  const ir::AxisSplit split = ir::SplitAtAxis(data.shape, axis);
  const int64_t per_group = split.length / attributes.group;
  const ir::Shape box = {split.outer, per_group, attributes.group, split.inner};
  const ir::StridedView source = {0, {split.length * split.inner, split.inner, per_group * split.inner, 1}};
  AppendMove(data.type, box, {0, source}, {0, ir::DenseView(box)}, &moves);
  return moves;
}

}  // namespace

absl::StatusOr<std::shared_ptr<const Node>> MakeDepthToSpaceNode(const ir::Node& node, const NodeContext&) {
  return MovementNode::Create("DepthToSpace", &DepthToSpaceMoves, node);
}

absl::StatusOr<std::shared_ptr<const Node>> MakeShuffleChannelsNode(const ir::Node& node, const NodeContext&) {
  return MovementNode::Create("ShuffleChannels", &ShuffleMoves, node);
}

absl::StatusOr<std::shared_ptr<const Node>> MakeSpaceToDepthNode(const ir::Node& node, const NodeContext&) {
  return MovementNode::Create("SpaceToDepth", &SpaceToDepthMoves, node);
}

}  // namespace burin::cpu
