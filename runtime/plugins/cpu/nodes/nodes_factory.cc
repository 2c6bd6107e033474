#include "runtime/plugins/cpu/nodes/nodes_factory.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_context.h"
#include "ir/op_def.h"
#include "ir/ops/op_code.h"
#include "runtime/plugins/cpu/graph/draft_from_model.h"
#include "runtime/plugins/cpu/nodes/along_axes/cum_sum_node.h"
#include "runtime/plugins/cpu/nodes/along_axes/interpolate_node.h"
#include "runtime/plugins/cpu/nodes/along_axes/lrn_node.h"
#include "runtime/plugins/cpu/nodes/along_axes/top_k_node.h"
#include "runtime/plugins/cpu/nodes/dense/dense_nodes.h"
#include "runtime/plugins/cpu/nodes/movement/broadcast_node.h"
#include "runtime/plugins/cpu/nodes/movement/channel_blocks_node.h"
#include "runtime/plugins/cpu/nodes/movement/concat_node.h"
#include "runtime/plugins/cpu/nodes/movement/gather_node.h"
#include "runtime/plugins/cpu/nodes/movement/pad_node.h"
#include "runtime/plugins/cpu/nodes/movement/split_node.h"
#include "runtime/plugins/cpu/nodes/movement/strided_slice_node.h"
#include "runtime/plugins/cpu/nodes/movement/transpose_node.h"
#include "runtime/plugins/cpu/nodes/reference_node.h"
#include "runtime/plugins/cpu/nodes/reshape_node.h"
#include "runtime/plugins/cpu/nodes/subgraph_node.h"
#include "runtime/plugins/cpu/segments/cut_node.h"
#include "runtime/plugins/cpu/segments/cut_rule.h"
#include "snippets/anchor/anchored_body.h"

namespace burin::cpu {

namespace {

using MadeNode = absl::StatusOr<std::shared_ptr<const Node>>;

MadeNode MakeReshape(const ir::Node&, const NodeContext&) { return std::make_shared<ReshapeNode>(); }

MadeNode MakeSubgraph(const ir::Node& node, const NodeContext& context) {
  const bool is_anchored = snippets::AnchorOf(*node.bodies()[0]) != nullptr;
  return is_anchored ? MakeAnchoredNode(node, context) : SubgraphNode::Create(node, context);
}

struct Line {
  ir::OpCode code;
  MadeNode (*make)(const ir::Node& node, const NodeContext& context);
};

// By the name of the operation.
constexpr Line kNodes[] = {
    {ir::OpCode::kAvgPool, &MakeDenseNode},
    {ir::OpCode::kBroadcast, &MakeBroadcastNode},
    {ir::OpCode::kConcat, &MakeConcatNode},
    {ir::OpCode::kConvolution, &MakeDenseNode},
    {ir::OpCode::kConvolutionBackpropData, &MakeDenseNode},
    {ir::OpCode::kCumSum, &CumSumNode::Create},
    {ir::OpCode::kDepthToSpace, &MakeDepthToSpaceNode},
    {ir::OpCode::kGather, &GatherNode::Create},
    {ir::OpCode::kGroupConvolution, &MakeDenseNode},
    {ir::OpCode::kGroupConvolutionBackpropData, &MakeDenseNode},
    {ir::OpCode::kInterpolate, &InterpolateNode::Create},
    {ir::OpCode::kLRN, &LrnNode::Create},
    {ir::OpCode::kMatMul, &MakeDenseNode},
    {ir::OpCode::kMaxPool, &MakeDenseNode},
    {ir::OpCode::kPad, &MakePadNode},
    {ir::OpCode::kReshape, &MakeReshape},
    {ir::OpCode::kShuffleChannels, &MakeShuffleChannelsNode},
    {ir::OpCode::kSlice, &MakeSliceNode},
    {ir::OpCode::kSpaceToDepth, &MakeSpaceToDepthNode},
    {ir::OpCode::kSplit, &MakeSplitNode},
    {ir::OpCode::kSqueeze, &MakeReshape},
    {ir::OpCode::kStridedSlice, &MakeStridedSliceNode},
    {ir::OpCode::kSubgraph, &MakeSubgraph},
    {ir::OpCode::kTile, &MakeTileNode},
    {ir::OpCode::kTopK, &TopKNode::Create},
    {ir::OpCode::kTranspose, &MakeTransposeNode},
    {ir::OpCode::kUnsqueeze, &MakeReshape},
    {ir::OpCode::kVariadicSplit, &MakeSplitNode},
};

// Makes the nodes of the bodies too. Unimplemented, listing all of these that there are none for.
MadeNode MakeCutNode(const ir::Node& node, const NodeContext& context) {
  std::vector<CutNode::BodyNodes> bodies;
  std::vector<std::string> missing;
  for (const std::unique_ptr<ir::Model>& body : node.bodies()) {
    CutNode::BodyNodes& nodes = bodies.emplace_back(static_cast<size_t>(body->id_bound()));
    for (const ir::NodeId id : body->NodeIds()) {
      const ir::Node& inner = body->node(id);
      if (!Computes(inner)) continue;
      MadeNode made = MakeNode(inner, context);
      if (made.status().code() == absl::StatusCode::kUnimplemented) {
        missing.push_back(absl::StrCat("node ", inner.name(), ": ", made.status().message()));
        continue;
      }
      if (!made.ok()) return WithContext(made.status(), absl::StrCat("In a body, node ", inner.name()));
      nodes[static_cast<size_t>(Index(id))] = *std::move(made);
    }
  }
  if (!missing.empty()) return absl::UnimplementedError(absl::StrCat("In bodies, ", absl::StrJoin(missing, "; ")));
  return std::make_shared<CutNode>(node.op().name, std::move(bodies));
}

}  // namespace

absl::StatusOr<std::shared_ptr<const Node>> MakeNode(const ir::Node& node, const NodeContext& context) {
  if (AlwaysCuts(node)) return MakeCutNode(node, context);
  for (const Line& line : kNodes) {
    if (line.code != node.code()) continue;
    MadeNode made = line.make(node, context);
    if (made.ok() || made.status().code() != absl::StatusCode::kUnimplemented) return made;
  }
  return MakeReferenceNode(node);
}

absl::StatusOr<std::shared_ptr<const Node>> MakeReferenceNode(const ir::Node& node) {
  const ir::OpDef& op = node.op();
  if (op.reference == nullptr) return absl::UnimplementedError(absl::StrCat(op.name, " has no evaluation"));
  if (op.code == ir::OpCode::kReadValue || op.code == ir::OpCode::kAssign) {
    return absl::UnimplementedError(absl::StrCat(op.name, " has a state"));
  }
  return std::make_shared<ReferenceNode>(&node);
}

}  // namespace burin::cpu
