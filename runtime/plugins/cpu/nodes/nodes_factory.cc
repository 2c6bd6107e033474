#include "runtime/plugins/cpu/nodes/nodes_factory.h"

#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/op_def.h"
#include "ir/ops/convolution.h"
#include "ir/ops/group_convolution.h"
#include "ir/ops/matmul.h"
#include "ir/ops/op_code.h"
#include "ir/partial_shape.h"
#include "runtime/plugins/cpu/nodes/convolution_node.h"
#include "runtime/plugins/cpu/nodes/matmul_node.h"
#include "runtime/plugins/cpu/nodes/movement/broadcast_node.h"
#include "runtime/plugins/cpu/nodes/movement/channel_blocks_node.h"
#include "runtime/plugins/cpu/nodes/movement/concat_node.h"
#include "runtime/plugins/cpu/nodes/movement/gather_node.h"
#include "runtime/plugins/cpu/nodes/movement/pad_node.h"
#include "runtime/plugins/cpu/nodes/movement/split_node.h"
#include "runtime/plugins/cpu/nodes/movement/strided_slice_node.h"
#include "runtime/plugins/cpu/nodes/movement/transpose_node.h"
#include "runtime/plugins/cpu/nodes/pooling_node.h"
#include "runtime/plugins/cpu/nodes/reference_node.h"
#include "runtime/plugins/cpu/nodes/reshape_node.h"
#include "runtime/plugins/cpu/nodes/spatial_axes.h"
#include "runtime/plugins/cpu/nodes/subgraph_node.h"

namespace burin::cpu {

namespace {

using MadeNode = absl::StatusOr<std::shared_ptr<const Node>>;

MadeNode MakeReshape(const ir::Node&, const NodeContext&) { return std::make_shared<ReshapeNode>(); }

absl::Status CheckF32(const ir::Node& node) {
  const ElementType type = node.output(0).type;
  return type == ElementType::kF32 ? absl::OkStatus()
                                   : absl::UnimplementedError(absl::StrCat("no kernel for ", Name(type)));
}

// Kernels of windows have one to three axes beside batch and channels.
absl::Status CheckWindowNode(const ir::Node& node) {
  BURIN_RETURN_IF_ERROR(CheckF32(node));
  const ir::PartialShape& shape = node.output(0).shape;
  const int64_t axes = shape.has_rank() ? shape.rank() - 2 : 0;
  if (axes >= 1 && axes <= static_cast<int64_t>(kMostSpatialAxes)) return absl::OkStatus();
  return absl::UnimplementedError(absl::StrCat("no kernel for windows over axes of ", shape.ToString()));
}

MadeNode MakeConvolution(const ir::Node& node, const NodeContext&) {
  BURIN_RETURN_IF_ERROR(CheckWindowNode(node));
  return std::make_shared<ConvolutionNode>(node.attributes_as<ir::ConvolutionAttributes>(), /*grouped=*/false);
}

MadeNode MakeGroupConvolution(const ir::Node& node, const NodeContext&) {
  BURIN_RETURN_IF_ERROR(CheckWindowNode(node));
  return std::make_shared<ConvolutionNode>(node.attributes_as<ir::GroupConvolutionAttributes>(), /*grouped=*/true);
}

MadeNode MakeMatMul(const ir::Node& node, const NodeContext&) {
  BURIN_RETURN_IF_ERROR(CheckF32(node));
  return std::make_shared<MatMulNode>(node.attributes_as<ir::MatMulAttributes>());
}

MadeNode MakeMaxPool(const ir::Node& node, const NodeContext& context) {
  BURIN_RETURN_IF_ERROR(CheckWindowNode(node));
  return PoolingNode::CreateMax(node, context);
}

MadeNode MakeAvgPool(const ir::Node& node, const NodeContext& context) {
  BURIN_RETURN_IF_ERROR(CheckWindowNode(node));
  return PoolingNode::CreateAverage(node, context);
}

struct Line {
  ir::OpCode code;
  MadeNode (*make)(const ir::Node& node, const NodeContext& context);
};

// By the name of the operation.
constexpr Line kNodes[] = {
    {ir::OpCode::kAvgPool, &MakeAvgPool},
    {ir::OpCode::kBroadcast, &MakeBroadcastNode},
    {ir::OpCode::kConcat, &MakeConcatNode},
    {ir::OpCode::kConvolution, &MakeConvolution},
    {ir::OpCode::kDepthToSpace, &MakeDepthToSpaceNode},
    {ir::OpCode::kGather, &GatherNode::Create},
    {ir::OpCode::kGroupConvolution, &MakeGroupConvolution},
    {ir::OpCode::kMatMul, &MakeMatMul},
    {ir::OpCode::kMaxPool, &MakeMaxPool},
    {ir::OpCode::kPad, &MakePadNode},
    {ir::OpCode::kReshape, &MakeReshape},
    {ir::OpCode::kShuffleChannels, &MakeShuffleChannelsNode},
    {ir::OpCode::kSlice, &MakeSliceNode},
    {ir::OpCode::kSpaceToDepth, &MakeSpaceToDepthNode},
    {ir::OpCode::kSplit, &MakeSplitNode},
    {ir::OpCode::kSqueeze, &MakeReshape},
    {ir::OpCode::kStridedSlice, &MakeStridedSliceNode},
    {ir::OpCode::kSubgraph, &SubgraphNode::Create},
    {ir::OpCode::kTile, &MakeTileNode},
    {ir::OpCode::kTranspose, &MakeTransposeNode},
    {ir::OpCode::kUnsqueeze, &MakeReshape},
    {ir::OpCode::kVariadicSplit, &MakeSplitNode},
};

MadeNode MakeReference(const ir::Node& node) {
  const ir::OpDef& op = node.op();
  if (op.reference == nullptr) return absl::UnimplementedError(absl::StrCat(op.name, " has no evaluation"));
  if (op.code == ir::OpCode::kReadValue || op.code == ir::OpCode::kAssign) {
    return absl::UnimplementedError(absl::StrCat(op.name, " has a state"));
  }
  return std::make_shared<ReferenceNode>(&node);
}

}  // namespace

absl::StatusOr<std::shared_ptr<const Node>> MakeNode(const ir::Node& node, const NodeContext& context) {
  for (const Line& line : kNodes) {
    if (line.code != node.code()) continue;
    MadeNode made = line.make(node, context);
    if (made.ok() || made.status().code() != absl::StatusCode::kUnimplemented) return made;
  }
  return MakeReference(node);
}

}  // namespace burin::cpu
