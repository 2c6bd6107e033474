#include "runtime/plugins/cpu/nodes/movement/concat_node.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/status_macros.h"
#include "ir/ops/concat.h"
#include "ir/ops/family/index_space.h"
#include "ir/ops/family/integer_input.h"
#include "ir/shape.h"
#include "runtime/plugins/cpu/graph/value_desc.h"
#include "runtime/plugins/cpu/nodes/copy_primitive.h"
#include "runtime/plugins/cpu/nodes/movement/movement_node.h"

namespace burin::cpu {

namespace {

absl::StatusOr<std::vector<ElementMove>> MovesOf(const ir::Node& node, const NodeValues& values) {
  const ValueDesc& output = values.outputs[0];
  BURIN_ASSIGN_OR_RETURN(const int64_t axis, ir::WrapAxis("Concat_c2", node.attributes_as<ir::ConcatAttributes>().axis,
                                                          static_cast<int64_t>(output.shape.size())));
  ir::StridedView target = LayoutView(output);
  std::vector<ElementMove> moves;
  for (size_t i = 0; i < values.inputs.size(); ++i) {
    const ir::Shape& shape = values.inputs[i].desc.shape;
    AppendMove(output.type, shape, {static_cast<int>(i), LayoutView(values.inputs[i].desc)}, {0, target}, &moves);
    target.offset += target.strides[axis] * shape[axis];
  }
  return moves;
}

}  // namespace

absl::StatusOr<std::shared_ptr<const Node>> MakeConcatNode(const ir::Node& node, const NodeContext&) {
  return MovementNode::Create("Concat", &MovesOf, node, MovementLayouts::kAlike);
}

}  // namespace burin::cpu
