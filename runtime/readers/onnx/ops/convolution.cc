// Convolutions on floating-point numbers.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ir/ops/convolution_backprop_data.h"
#include "ir/ops/family/window.h"
#include "ir/ops/group_convolution_backprop_data.h"
#include "ir/ops/ops.h"
#include "runtime/readers/onnx/ops/convolution_weights.h"
#include "runtime/readers/onnx/ops/fused_activation.h"
#include "runtime/readers/onnx/ops/window.h"
#include "runtime/readers/onnx/translators.h"

namespace burin::onnx {
namespace {

// The window of a transposed convolution, with every padding explicit.
struct TransposedWindow {
  ir::WindowParameters window;
  std::vector<int64_t> output_padding;
};

// Finds the padding of one axis from the size that the output shall have:
//   total = stride * (input - 1) + output_padding + extent - output
// of which the larger half is at the end for SAME_UPPER and at the beginning else. Where the output is larger than what
// the windows cover, the rest is padding of the output.
void PadForSize(int64_t axis, int64_t input, int64_t extent, int64_t output, bool more_at_end, TransposedWindow* w) {
  const size_t i = static_cast<size_t>(axis);
  const int64_t total = w->window.strides[i] * (input - 1) + w->output_padding[i] + extent - output;
  if (total < 0) w->output_padding[i] -= total;
  const int64_t padding = std::max<int64_t>(0, total);
  w->window.pads_begin[i] = more_at_end ? padding / 2 : padding - padding / 2;
  w->window.pads_end[i] = padding - w->window.pads_begin[i];
}

// Resolves output_shape and auto_pad into explicit padding.
void ResolveOutputSize(NodeContext& node, ir::Value x, ir::Value weights, TransposedWindow* w) {
  const int64_t spatial = static_cast<int64_t>(w->window.strides.size());
  std::vector<int64_t> output_shape = node.IntsAttribute("output_shape");
  // Some files give the sizes of all axes.
  if (static_cast<int64_t>(output_shape.size()) == spatial + 2) {
    output_shape.erase(output_shape.begin(), output_shape.begin() + 2);
  }
  const ir::AutoPad auto_pad = w->window.auto_pad;
  w->window.auto_pad = ir::AutoPad::kExplicit;
  const bool is_same = auto_pad == ir::AutoPad::kSameUpper || auto_pad == ir::AutoPad::kSameLower;
  if (output_shape.empty() && !is_same) return;
  if (!output_shape.empty() && static_cast<int64_t>(output_shape.size()) != spatial) {
    node.Fail(absl::InvalidArgumentError("output_shape has another number of elements than there are axes"));
    return;
  }
  const ir::PartialShape& x_shape = node.ShapeOf(x);
  const ir::PartialShape& weight_shape = node.ShapeOf(weights);
  if (!x_shape.has_rank() || x_shape.rank() != spatial + 2) {
    node.Fail(absl::UnimplementedError("a computed padding where the input's rank is not known"));
    return;
  }
  constexpr int64_t kMaxSize = int64_t{1} << 31;
  for (int64_t d = 0; d < spatial; ++d) {
    const size_t i = static_cast<size_t>(d);
    const ir::Dimension& size = x_shape[d + 2];
    const ir::Dimension& kernel = weight_shape[d + 2];
    if (!size.is_static() || !kernel.is_static()) {
      node.Fail(absl::UnimplementedError("a computed padding where the input's size is not known"));
      return;
    }
    const int64_t numbers[] = {size.value(),         kernel.value(),
                               w->window.strides[i], w->window.dilations[i],
                               w->output_padding[i], output_shape.empty() ? 0 : output_shape[i]};
    for (const int64_t number : numbers) {
      if (number >= 0 && number < kMaxSize) continue;
      node.Fail(absl::InvalidArgumentError("A size of a transposed convolution is negative or too large"));
      return;
    }
    const ir::Dimension extent = (kernel - ir::Dimension(1)) * ir::Dimension(w->window.dilations[i]) + ir::Dimension(1);
    const int64_t output = output_shape.empty() ? size.value() * w->window.strides[i] : output_shape[i];
    PadForSize(d, size.value(), extent.value(), output, auto_pad == ir::AutoPad::kSameUpper, w);
  }
}

ir::Value AddBias(NodeContext& node, ir::Value y, int64_t rank) {
  return node.HasInput(2) && node.ok() ? node.Plus(y, AlongChannels(node, node.Input(2), rank)) : y;
}

}  // namespace

absl::Status TranslateConv(NodeContext& node) {
  const ir::Value weights = node.Input(1);
  const ir::Value y = Convolve(node, node.Input(0), weights);
  return node.Finish({AddBias(node, y, node.KnownRank(weights))});
}

// The standard's convolution, to which a fourth input may be added, and an activation.
absl::Status TranslateFusedConv(NodeContext& node) {
  const ir::Value weights = node.Input(1);
  ir::Value y = AddBias(node, Convolve(node, node.Input(0), weights), node.KnownRank(weights));
  if (node.HasInput(3)) y = node.Plus(y, node.Input(3));
  const std::string activation = node.StringAttribute("activation", "");
  return node.Finish({Activate(node, y, activation, node.FloatsAttribute("activation_params"))});
}

absl::Status TranslateConvTranspose(NodeContext& node) {
  const ir::Value x = node.Input(0);
  const ir::Value weights = node.Input(1);  // [C, M / group, kernel...]
  const int64_t rank = node.KnownRank(weights);
  if (!node.ok()) return node.status();
  if (rank < 3) return node.Invalid("The weights of a convolution have at least 3 axes");
  TransposedWindow w;
  ReadWindow(node, rank - 2, &w.window);
  w.output_padding = node.IntsAttribute("output_padding", std::vector<int64_t>(static_cast<size_t>(rank) - 2, 0));
  if (w.output_padding.size() != w.window.strides.size()) {
    return node.Invalid("output_padding has another number of elements than there are axes");
  }
  ResolveOutputSize(node, x, weights, &w);
  const int64_t group = node.IntAttribute("group", 1);
  if (group < 1) return node.Invalid("The number of groups must be positive");
  if (!node.ok()) return node.status();
  ir::Value y;
  if (group == 1) {
    auto attributes = std::make_unique<ir::ConvolutionBackpropDataAttributes>();
    static_cast<ir::WindowParameters&>(*attributes) = w.window;
    attributes->output_padding = w.output_padding;
    y = node.Add(ir::ConvolutionBackpropDataOp(), {x, weights}, std::move(attributes));
  } else {
    auto attributes = std::make_unique<ir::GroupConvolutionBackpropDataAttributes>();
    static_cast<ir::WindowParameters&>(*attributes) = w.window;
    attributes->output_padding = w.output_padding;
    y = node.Add(ir::GroupConvolutionBackpropDataOp(), {x, SplitGroups(node, weights, group)}, std::move(attributes));
  }
  return node.Finish({AddBias(node, y, rank)});
}

}  // namespace burin::onnx
