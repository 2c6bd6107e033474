#include "runtime/plugins/cpu/nodes/movement/broadcast_node.h"

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "base/status_macros.h"
#include "ir/ops/family/index_space.h"
#include "ir/shape.h"
#include "runtime/plugins/cpu/graph/value_desc.h"
#include "runtime/plugins/cpu/nodes/copy_primitive.h"
#include "runtime/plugins/cpu/nodes/movement/movement_node.h"

namespace burin::cpu {

namespace {

// The shape is that of the output, whatever the mode; the data's dimensions are its last ones, or those of the mapping.
absl::StatusOr<std::vector<ElementMove>> BroadcastMoves(const ir::Node&, const NodeValues& values) {
  const ir::Shape& data = values.inputs[0].desc.shape;
  const ValueDesc& output = values.outputs[0];
  std::vector<int64_t> axes(data.size());
  std::iota(axes.begin(), axes.end(), static_cast<int64_t>(output.shape.size()) - static_cast<int64_t>(data.size()));
  if (values.inputs.size() > 2 && values.inputs[2].exists) {
    BURIN_ASSIGN_OR_RETURN(axes, ConstantInts(values, 2));
  }
  const std::vector<int64_t> strides = ir::RowMajorStrides(data);
  ir::StridedView source;
  source.strides.assign(output.shape.size(), 0);
  for (size_t d = 0; d < data.size(); ++d) {
    if (data[d] != 1) source.strides[axes[d]] = strides[d];
  }
  std::vector<ElementMove> moves;
  AppendMove(output.type, output.shape, {0, source}, {0, ir::DenseView(output.shape)}, &moves);
  return moves;
}

// Each dimension of the output is seen as two: the repeats, and the data's.
absl::StatusOr<std::vector<ElementMove>> TileMoves(const ir::Node&, const NodeValues& values) {
  const ValueDesc& output = values.outputs[0];
  ir::Shape data = values.inputs[0].desc.shape;
  data.insert(data.begin(), output.shape.size() - data.size(), 1);
  const std::vector<int64_t> data_strides = ir::RowMajorStrides(data);
  const std::vector<int64_t> output_strides = ir::RowMajorStrides(output.shape);
  ir::Shape box;
  ir::StridedView source;
  ir::StridedView target;
  for (size_t d = 0; d < data.size(); ++d) {
    const int64_t repeats = data[d] == 0 ? 1 : output.shape[d] / data[d];
    box.insert(box.end(), {repeats, data[d]});
    source.strides.insert(source.strides.end(), {0, data_strides[d]});
    target.strides.insert(target.strides.end(), {output_strides[d] * data[d], output_strides[d]});
  }
  std::vector<ElementMove> moves;
  AppendMove(output.type, box, {0, source}, {0, target}, &moves);
  return moves;
}

}  // namespace

absl::StatusOr<std::shared_ptr<const Node>> MakeBroadcastNode(const ir::Node& node, const NodeContext&) {
  return MovementNode::Create("Broadcast", &BroadcastMoves, node);
}

absl::StatusOr<std::shared_ptr<const Node>> MakeTileNode(const ir::Node& node, const NodeContext&) {
  return MovementNode::Create("Tile", &TileMoves, node);
}

}  // namespace burin::cpu
