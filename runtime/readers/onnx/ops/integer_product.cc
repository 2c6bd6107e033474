// Matrix products and convolutions of integers.
#include <cstdint>
#include <vector>

#include "ir/ops/ops.h"
#include "runtime/readers/onnx/ops/channels_last.h"
#include "runtime/readers/onnx/ops/convolution_weights.h"
#include "runtime/readers/onnx/ops/quantization.h"
#include "runtime/readers/onnx/translators.h"

namespace burin::onnx {
namespace {

// Convolves (x - x_zero) with (w - w_zero) in i32; padding stands for x_zero. w_zero may be per output channel.
ir::Value ConvolveCentred(NodeContext& node, ir::Value x, ir::Value x_zero, ir::Value w, ir::Value w_zero) {
  const int64_t rank = node.KnownRank(w);
  const ir::Value weights = SubtractZeroPoint(node, w, AlongAxis(node, w_zero, 0, rank));
  const ir::Value zero = x_zero.exists() ? node.ToScalar(x_zero) : x_zero;
  return Convolve(node, SubtractZeroPoint(node, x, zero), weights);
}

// a_scale * b_scale / y_scale, in f32.
ir::Value Multiplier(NodeContext& node, ir::Value a_scale, ir::Value b_scale, ir::Value y_scale) {
  const ElementType type = ElementType::kF32;
  return node.Over(node.Times(node.Convert(a_scale, type), node.Convert(b_scale, type)), node.Convert(y_scale, type));
}

}  // namespace

absl::Status TranslateConvInteger(NodeContext& node) {
  return node.Finish(
      {ConvolveCentred(node, node.Input(0), node.OptionalInput(2), node.Input(1), node.OptionalInput(3))});
}

absl::Status TranslateMatMulInteger(NodeContext& node) {
  return node.Finish(
      {MultiplyCentred(node, node.Input(0), node.OptionalInput(2), node.Input(1), node.OptionalInput(3))});
}

// Inputs: x, x_scale, x_zero, w, w_scale, w_zero, y_scale, y_zero, and a bias in i32 with scale x_scale * w_scale. In
// the domain of ONNX Runtime the channels of x and y may be their last axis; those of w stay where they are.
absl::Status TranslateQLinearConv(NodeContext& node) {
  const ir::Value w = node.Input(3);
  const int64_t rank = node.KnownRank(w);
  const ir::Value x = ToChannelsFirst(node, node.Input(0));
  ir::Value sum = ConvolveCentred(node, x, node.Input(2), w, node.Input(5));
  if (node.HasInput(8) && node.ok()) sum = node.Plus(sum, AlongChannels(node, node.Input(8), rank));
  const ir::Value factor = Multiplier(node, node.ToScalar(node.Input(1)), AlongAxis(node, node.Input(4), 1, rank),
                                      node.ToScalar(node.Input(6)));
  const ir::Value scaled = node.Times(node.Convert(sum, ElementType::kF32), factor);
  const ir::Value zero_point = node.Input(7);
  const ir::Value y = RoundTo(node, scaled, node.ToScalar(zero_point), node.TypeOf(zero_point));
  return node.Finish({FromChannelsFirst(node, y)});
}

// Inputs: a, a_scale, a_zero, b, b_scale, b_zero, y_scale, y_zero.
absl::Status TranslateQLinearMatMul(NodeContext& node) {
  const ir::Value sum = MultiplyCentred(node, node.Input(0), node.Input(2), node.Input(3), node.Input(5));
  const ir::Value factor =
      Multiplier(node, AlongRows(node, node.Input(1)), node.Input(4), AlongRows(node, node.Input(6)));
  const ir::Value scaled = node.Times(node.Convert(sum, ElementType::kF32), factor);
  const ir::Value zero_point = node.Input(7);
  return node.Finish({RoundTo(node, scaled, AlongRows(node, zero_point), node.TypeOf(zero_point))});
}

}  // namespace burin::onnx
