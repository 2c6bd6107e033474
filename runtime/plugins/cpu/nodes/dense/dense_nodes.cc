#include "runtime/plugins/cpu/nodes/dense/dense_nodes.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/op_def.h"
#include "ir/ops/op_code.h"
#include "ir/partial_shape.h"
#include "runtime/plugins/cpu/nodes/convolution_node.h"
#include "runtime/plugins/cpu/nodes/dense/dense_step.h"
#include "runtime/plugins/cpu/nodes/matmul_node.h"
#include "runtime/plugins/cpu/nodes/pooling_node.h"
#include "runtime/plugins/cpu/nodes/spatial_axes.h"
#include "runtime/plugins/cpu/nodes/transposed_convolution_node.h"
#include "snippets/anchor/anchored_body.h"

namespace burin::cpu {

namespace {

using MadeNode = absl::StatusOr<std::shared_ptr<const Node>>;

struct Line {
  ir::OpCode code;
  // Whether it moves windows along axes beside batch and channels, which are last.
  bool has_windows;
  MadeNode (*make)(const ir::Node& op, DenseStep step, const NodeContext& context);
};

// By the name of the operation.
constexpr Line kDenseNodes[] = {
    {ir::OpCode::kAvgPool, true, &PoolingNode::CreateAverage},
    {ir::OpCode::kConvolution, true, &ConvolutionNode::Create},
    {ir::OpCode::kConvolutionBackpropData, true, &TransposedConvolutionNode::Create},
    {ir::OpCode::kGroupConvolution, true, &ConvolutionNode::CreateGrouped},
    {ir::OpCode::kGroupConvolutionBackpropData, true, &TransposedConvolutionNode::CreateGrouped},
    {ir::OpCode::kMatMul, false, &MatMulNode::Create},
    {ir::OpCode::kMaxPool, true, &PoolingNode::CreateMax},
};

// Checks what kernels need.
absl::Status Check(const Line& line, const ir::Node& op) {
  const ElementType type = op.output(0).type;
  if (type != ElementType::kF32) return absl::UnimplementedError(absl::StrCat("no kernel for ", Name(type)));
  if (!line.has_windows) return absl::OkStatus();
  const ir::PartialShape& shape = op.output(0).shape;
  const int64_t axes = shape.has_rank() ? shape.rank() - 2 : 0;
  if (axes >= 1 && axes <= static_cast<int64_t>(kMostSpatialAxes)) return absl::OkStatus();
  return absl::UnimplementedError(absl::StrCat("no kernel for windows over axes of ", shape.ToString()));
}

// What has its channels last is read in that order by all, as long as it has the dimensions of the result.
absl::Status CheckChannelsLast(const DenseStep& step, const ir::Node& anchor, const ir::Model& body) {
  for (size_t i = 1; i < step.inputs.size(); ++i) {
    const bool read_twice =
        step.inputs[i] == step.inputs[0] || (step.inputs[i] >= 0 && step.epilogue->IsFull(step.inputs[i]));
    if (read_twice) return absl::UnimplementedError("A value that is read in two layouts");
  }
  for (size_t i = 0; i < body.parameters().size(); ++i) {
    if (!step.epilogue->IsFull(static_cast<int>(i))) continue;
    const ir::PartialShape& shape = body.info({body.parameters()[i], 0}).shape;
    if (shape.has_rank() && shape.rank() == anchor.output(0).shape.rank()) continue;
    return absl::UnimplementedError(
        absl::StrCat("An operand of all elements with other dimensions than the result: ", shape.ToString()));
  }
  return absl::OkStatus();
}

absl::StatusOr<const Line*> LineOf(const ir::Node& op) {
  for (const Line& line : kDenseNodes) {
    if (line.code != op.code()) continue;
    BURIN_RETURN_IF_ERROR(Check(line, op));
    return &line;
  }
  return absl::UnimplementedError(absl::StrCat("no dense kernel for ", op.op().name));
}

}  // namespace

MadeNode MakeDenseNode(const ir::Node& op, const NodeContext& context) {
  BURIN_ASSIGN_OR_RETURN(const Line* const line, LineOf(op));
  return line->make(op, DenseStep::Alone(op), context);
}

MadeNode MakeAnchoredNode(const ir::Node& subgraph, const NodeContext& context) {
  const ir::Model& body = *subgraph.bodies()[0];
  BURIN_ASSIGN_OR_RETURN(const snippets::AnchoredBody split, snippets::SplitAnchored(body));
  BURIN_ASSIGN_OR_RETURN(const Line* const line, LineOf(*split.anchor));
  BURIN_ASSIGN_OR_RETURN(DenseStep step, DenseStep::OfAnchor(split));
  if (line->has_windows) BURIN_RETURN_IF_ERROR(CheckChannelsLast(step, *split.anchor, body));
  return line->make(*split.anchor, std::move(step), context);
}

}  // namespace burin::cpu
