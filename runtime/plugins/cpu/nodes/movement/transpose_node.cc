#include "runtime/plugins/cpu/nodes/movement/transpose_node.h"

#include <cstdint>
#include <vector>

#include "base/status_macros.h"
#include "ir/ops/family/index_space.h"
#include "ir/shape.h"
#include "runtime/plugins/cpu/graph/value_desc.h"
#include "runtime/plugins/cpu/nodes/copy_primitive.h"
#include "runtime/plugins/cpu/nodes/movement/movement_node.h"

namespace burin::cpu {

namespace {

absl::StatusOr<std::vector<ElementMove>> MovesOf(const ir::Node&, const NodeValues& values) {
  BURIN_ASSIGN_OR_RETURN(std::vector<int64_t> order, ConstantInts(values, 1));
  const std::vector<int64_t> strides = LayoutView(values.inputs[0].desc).strides;
  if (order.empty()) {
    for (int64_t d = static_cast<int64_t>(strides.size()); d-- > 0;) order.push_back(d);
  }
  ir::StridedView source;
  for (const int64_t d : order) source.strides.push_back(strides[d]);
  const ValueDesc& output = values.outputs[0];
  std::vector<ElementMove> moves;
  AppendMove(output.type, output.shape, {0, source}, {0, LayoutView(output)}, &moves);
  return moves;
}

}  // namespace

absl::StatusOr<std::shared_ptr<const Node>> MakeTransposeNode(const ir::Node& node, const NodeContext&) {
  return MovementNode::Create("Transpose", &MovesOf, node, MovementLayouts::kEach);
}

}  // namespace burin::cpu
