#include "runtime/plugins/cpu/nodes/movement/split_node.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/status_macros.h"
#include "ir/ops/family/index_space.h"
#include "ir/ops/family/integer_input.h"
#include "ir/shape.h"
#include "runtime/plugins/cpu/graph/value_desc.h"
#include "runtime/plugins/cpu/nodes/copy_primitive.h"
#include "runtime/plugins/cpu/nodes/movement/movement_node.h"

namespace burin::cpu {

namespace {

// The lengths of the pieces are those of the outputs, however they were given.
absl::StatusOr<std::vector<ElementMove>> MovesOf(const ir::Node&, const NodeValues& values) {
  const ValueDesc& data = values.inputs[0].desc;
  BURIN_ASSIGN_OR_RETURN(const std::vector<int64_t> axis_input, ConstantInts(values, 1));
  BURIN_ASSIGN_OR_RETURN(const int64_t axis, ir::WrapAxis("the axis of a split", axis_input.front(),
                                                          static_cast<int64_t>(data.shape.size())));
  ir::StridedView source = LayoutView(data);
  std::vector<ElementMove> moves;
  for (size_t i = 0; i < values.outputs.size(); ++i) {
    const ir::Shape& shape = values.outputs[i].shape;
    AppendMove(data.type, shape, {0, source}, {static_cast<int>(i), LayoutView(values.outputs[i])}, &moves);
    source.offset += source.strides[axis] * shape[axis];
  }
  return moves;
}

}  // namespace

absl::StatusOr<std::shared_ptr<const Node>> MakeSplitNode(const ir::Node& node, const NodeContext&) {
  return MovementNode::Create("Split", &MovesOf, node, MovementLayouts::kAlike);
}

}  // namespace burin::cpu
