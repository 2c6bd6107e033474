// A scale per channel beside an anchor with constant weights goes into the weights:
//
//   f(x, w) * s        => f(x, w * s)              s: one number, or one per output channel
//   (f(x, w) + b) * s  => f(x, w * s) + b * s      b: likewise
//   f(x * s, w)        => f(x, w * s)              s: one number, or one per input channel
//
// and division likewise. f is a convolution of any kind or a MatMul whose second input is w. The padding of a
// convolution stays right, for its zeros are scaled to zeros. w * s is a node over Constants for ConstantFolding.
//
// What rounds: each product with a weight in place of one with the sum, or with x. Guards:
//   - s is finite (divisors: not 0), and no product leaves the range of the type: see MayScale().
//   - s certainly leaves the shape of what it scales as it is, and stands against the axis of channels.
//   - Nobody else reads the anchor, its sum or x * s: the work would be done twice. Nobody else reads the weights:
//     there would be two copies of them.
//   - w is a Constant: not decompressed from a narrow type, which it could not be after the scaling, and not so large
//     that it would not be folded.
//   - x is no integer converted: x * s then is a dequantisation, which low precision looks for.
//
// Each firing removes a Multiply or Divide that is not between Constants.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/model.h"
#include "ir/op_def.h"
#include "ir/ops/family/broadcast_rule.h"
#include "ir/ops/matmul.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/rewrite.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "transformations/cleanup/elementwise_rule.h"
#include "transformations/constant_evaluator.h"
#include "transformations/folding/channel_constant.h"
#include "transformations/matcher/explain.h"
#include "transformations/matcher/facts.h"
#include "transformations/passes.h"

namespace burin::transformations {
namespace {

using ir::OpCode;

bool IsScale(OpCode code) { return code == OpCode::kMultiply || code == OpCode::kDivide; }

std::optional<ir::Shape> ShapeAgainst(const ir::Model& model, const WithConstant& op, int64_t axis) {
  return PerChannelShape(*BroadcastRuleOf(*op.node), op.constant->shape(), model.info(op.data).shape, axis);
}

enum class Side { kOutput, kInput };

// Returns the axes of the weights that count the channels of that side.
std::vector<int64_t> WeightAxes(const ir::Node& anchor, int64_t weight_rank, Side side) {
  const bool output = side == Side::kOutput;
  switch (anchor.code()) {
    case OpCode::kConvolution:
      return {output ? 0 : 1};
    case OpCode::kConvolutionBackpropData:
      return {output ? 1 : 0};
    case OpCode::kGroupConvolution:
      return {0, output ? 1 : 2};
    case OpCode::kGroupConvolutionBackpropData:
      return {0, output ? 2 : 1};
    default:
      return {weight_rank - (output == anchor.attributes_as<ir::MatMulAttributes>().transpose_b ? 2 : 1)};
  }
}

// Returns why the weights of the anchor may not be scaled, or null.
const char* WhyNotWeights(const ir::Model& model, const ir::Node& anchor, const ir::PassContext& context) {
  const ir::Tensor* const weights = ConstantOf(model, anchor.input(1));
  if (weights == nullptr) return "the weights are not a Constant";
  if (!IsWideFloat(weights->element_type())) return "the weights are no floats of 16 bits or more";
  if (weights->shape().size() < 2) return "the second matrix is a vector";
  if (model.UsesOf(anchor.input(1)).size() != 1) return "the weights have other readers";
  const auto* const given = context.Find<FoldingLimits>();
  const double limit = given != nullptr ? given->max_flops : FoldingLimits().max_flops;
  if (static_cast<double>(weights->element_count()) > limit) return "the weights are too large to be folded";
  return nullptr;
}

absl::StatusOr<bool> Fits(const ir::Tensor& data, const WithConstant& scale) {
  BURIN_ASSIGN_OR_RETURN(const Magnitudes factor, MagnitudesOf(*scale.constant));
  BURIN_ASSIGN_OR_RETURN(const Magnitudes magnitudes, MagnitudesOf(data));
  const ElementType type = data.element_type();
  return scale.node->code() == OpCode::kDivide ? MayDivide(type, magnitudes, factor)
                                               : MayScale(type, magnitudes, factor);
}

// Adds the anchor with `data` and its weights scaled. The weights are a Constant.
absl::StatusOr<ir::Value> AddScaledAnchor(const ir::Model& model, const ir::Node& anchor, ir::Value data,
                                          const WithConstant& scale, Side side, ir::Patch& patch) {
  const ir::Shape& weights = ConstantOf(model, anchor.input(1))->shape();
  ir::Shape shape(weights.size(), 1);
  if (scale.constant->element_count() != 1) {
    for (const int64_t axis : WeightAxes(anchor, static_cast<int64_t>(weights.size()), side)) {
      shape[static_cast<size_t>(axis)] = weights[static_cast<size_t>(axis)];
    }
  }
  BURIN_ASSIGN_OR_RETURN(const ir::Value factor, AddReshape(patch, scale.value, shape));
  ir::NodeSpec spec;
  spec.op = &anchor.op();
  spec.attributes = anchor.attributes().Clone();
  spec.inputs.assign(anchor.inputs().begin(), anchor.inputs().end());
  spec.inputs[0] = data;
  spec.inputs[1] = patch.Add(scale.node->op(), {anchor.input(1), factor});
  spec.runtime_info = anchor.runtime_info();
  return ir::Value{patch.AddNode(std::move(spec)), 0};
}

// (f(x, w) + b) * s, with or without b, at the Multiply or Divide.
absl::StatusOr<std::optional<ir::Patch>> FoldBelow(const ir::Model& model, const ir::Node& node,
                                                   const ir::PassContext& context) {
  const std::optional<WithConstant> scale = FindConstant(model, node);
  if (!scale.has_value()) return Decline(context, node.id(), "no factor or divisor is a Constant, or both are");
  const ir::Node* anchor = &model.node(scale->data.node);
  std::optional<WithConstant> bias;
  if (anchor->code() == OpCode::kAdd) {
    bias = FindConstant(model, *anchor);
    if (!bias.has_value()) return Decline(context, node.id(), "what is added above is not a Constant");
    anchor = &model.node(bias->data.node);
  }
  if (!IsAnchor(anchor->code())) return Decline(context, node.id(), "what is scaled is no convolution or MatMul");
  if (const char* const why = WhyNotWeights(model, *anchor, context)) return Decline(context, node.id(), why);
  if (model.UsesOf(scale->data).size() != 1 || (bias.has_value() && model.UsesOf(bias->data).size() != 1)) {
    return Decline(context, node.id(), "what is scaled has other readers");
  }
  const std::optional<int64_t> axis = ChannelAxis(model, *anchor);
  if (!axis.has_value()) return Decline(context, node.id(), "the rank of the anchor is not known");
  if (bias.has_value() && !ShapeAgainst(model, *bias, *axis).has_value()) {
    return Decline(context, node.id(), "the bias is not one per channel");
  }
  const std::optional<ir::Shape> shape = ShapeAgainst(model, *scale, *axis);
  if (!shape.has_value()) return Decline(context, node.id(), "the scale is not one per channel");
  BURIN_ASSIGN_OR_RETURN(bool fits, Fits(*ConstantOf(model, anchor->input(1)), *scale));
  if (fits && bias.has_value()) {
    BURIN_ASSIGN_OR_RETURN(fits, Fits(*bias->constant, *scale));
  }
  if (!fits) return Decline(context, node.id(), "a scaled weight or bias may leave the range of the type");

  ir::Patch patch(model);
  BURIN_ASSIGN_OR_RETURN(ir::Value result,
                         AddScaledAnchor(model, *anchor, anchor->input(0), *scale, Side::kOutput, patch));
  if (bias.has_value()) {
    BURIN_ASSIGN_OR_RETURN(const ir::Value old_bias,
                           AddReshape(patch, bias->value, *ShapeAgainst(model, *bias, *axis)));
    BURIN_ASSIGN_OR_RETURN(const ir::Value factor, AddReshape(patch, scale->value, *shape));
    result = patch.Add(ir::AddOp(), {result, patch.Add(node.op(), {old_bias, factor})});
  }
  patch.Replace(ir::Value{node.id(), 0}, result);
  return patch;
}

// f(x * s, w), at the anchor.
absl::StatusOr<std::optional<ir::Patch>> FoldAbove(const ir::Model& model, const ir::Node& anchor,
                                                   const ir::PassContext& context) {
  const ir::Node& above = model.node(anchor.input(0).node);
  if (!IsScale(above.code())) return Decline(context, anchor.id(), "the data are not scaled");
  const std::optional<WithConstant> scale = FindConstant(model, above);
  if (!scale.has_value()) return Decline(context, anchor.id(), "the data are not scaled by a Constant");
  if (const char* const why = WhyNotWeights(model, anchor, context)) return Decline(context, anchor.id(), why);
  if (model.UsesOf(anchor.input(0)).size() != 1) return Decline(context, anchor.id(), "the scaled data are read twice");
  if (IsConvertedInteger(model, scale->data)) return Decline(context, anchor.id(), "the scale belongs to integers");
  const ir::PartialShape& data = model.info(scale->data).shape;
  if (!data.has_rank()) return Decline(context, anchor.id(), "the rank of the data is not known");
  int64_t axis = 1;
  if (anchor.code() == OpCode::kMatMul) {
    const bool transposed = data.rank() > 1 && anchor.attributes_as<ir::MatMulAttributes>().transpose_a;
    axis = data.rank() - (transposed ? 2 : 1);
  }
  if (!ShapeAgainst(model, *scale, axis).has_value()) {
    return Decline(context, anchor.id(), "the scale of the data is not one per channel");
  }
  BURIN_ASSIGN_OR_RETURN(const bool fits, Fits(*ConstantOf(model, anchor.input(1)), *scale));
  if (!fits) return Decline(context, anchor.id(), "a scaled weight may leave the range of the type");
  ir::Patch patch(model);
  BURIN_ASSIGN_OR_RETURN(const ir::Value result,
                         AddScaledAnchor(model, anchor, scale->data, *scale, Side::kInput, patch));
  patch.Replace(ir::Value{anchor.id(), 0}, result);
  return patch;
}

}  // namespace

absl::StatusOr<std::optional<ir::Patch>> FoldScale(const ir::Model& model, ir::NodeId id,
                                                   const ir::PassContext& context) {
  const ir::Node& node = model.node(id);
  if (IsScale(node.code())) return FoldBelow(model, node, context);
  if (IsAnchor(node.code())) return FoldAbove(model, node, context);
  return std::nullopt;
}

}  // namespace burin::transformations
