#include "runtime/plugins/cpu/nodes/movement/strided_slice_node.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "base/status_macros.h"
#include "ir/ops/family/index_space.h"
#include "ir/ops/slice.h"
#include "ir/ops/strided_slice.h"
#include "runtime/plugins/cpu/graph/value_desc.h"
#include "runtime/plugins/cpu/nodes/copy_primitive.h"
#include "runtime/plugins/cpu/nodes/movement/movement_node.h"

namespace burin::cpu {

namespace {

// Returns what a view of a row-major value, dimension by dimension, is of one that lies as `desc` says, which is not
// empty.
ir::StridedView InLayout(const ir::StridedView& row_major, const ValueDesc& desc) {
  const std::vector<int64_t> from = ir::RowMajorStrides(desc.shape);
  const ir::StridedView whole = LayoutView(desc);
  ir::StridedView view;
  for (size_t d = 0; d < desc.shape.size(); ++d) {
    view.offset += row_major.offset / from[d] % desc.shape[d] * whole.strides[d];
    view.strides.push_back(row_major.strides[d] / from[d] * whole.strides[d]);
  }
  return view;
}

std::vector<ElementMove> MovesFrom(const ir::StridedView& source, const ValueDesc& output) {
  std::vector<ElementMove> moves;
  AppendMove(output.type, output.shape, {0, source}, {0, LayoutView(output)}, &moves);
  return moves;
}

absl::StatusOr<std::vector<ElementMove>> SliceMoves(const ir::Node&, const NodeValues& values) {
  BURIN_ASSIGN_OR_RETURN(const std::vector<int64_t> start, ConstantInts(values, 1));
  BURIN_ASSIGN_OR_RETURN(const std::vector<int64_t> stop, ConstantInts(values, 2));
  BURIN_ASSIGN_OR_RETURN(const std::vector<int64_t> step, ConstantInts(values, 3));
  std::vector<int64_t> axes(start.size());
  std::iota(axes.begin(), axes.end(), 0);
  if (values.inputs.size() > 4 && values.inputs[4].exists) {
    BURIN_ASSIGN_OR_RETURN(axes, ConstantInts(values, 4));
  }
  const ValueDesc& data = values.inputs[0].desc;
  if (std::find(data.shape.begin(), data.shape.end(), 0) != data.shape.end()) return std::vector<ElementMove>();
  BURIN_ASSIGN_OR_RETURN(const ir::StridedView source, ir::SliceView(data.shape, start, stop, step, axes));
  return MovesFrom(InLayout(source, data), values.outputs[0]);
}

absl::StatusOr<std::vector<ElementMove>> StridedSliceMoves(const ir::Node& node, const NodeValues& values) {
  BURIN_ASSIGN_OR_RETURN(const std::vector<int64_t> begin, ConstantInts(values, 1));
  BURIN_ASSIGN_OR_RETURN(const std::vector<int64_t> end, ConstantInts(values, 2));
  std::vector<int64_t> stride(begin.size(), 1);
  if (values.inputs.size() > 3 && values.inputs[3].exists) {
    BURIN_ASSIGN_OR_RETURN(stride, ConstantInts(values, 3));
  }
  BURIN_ASSIGN_OR_RETURN(const ir::StridedView source,
                         ir::StridedSliceView(node.attributes_as<ir::StridedSliceAttributes>(),
                                              values.inputs[0].desc.shape, begin, end, stride));
  return MovesFrom(source, values.outputs[0]);
}

}  // namespace

absl::StatusOr<std::shared_ptr<const Node>> MakeSliceNode(const ir::Node& node, const NodeContext&) {
  return MovementNode::Create("Slice", &SliceMoves, node, MovementLayouts::kAlike);
}

absl::StatusOr<std::shared_ptr<const Node>> MakeStridedSliceNode(const ir::Node& node, const NodeContext&) {
  return MovementNode::Create("StridedSlice", &StridedSliceMoves, node);
}

}  // namespace burin::cpu
