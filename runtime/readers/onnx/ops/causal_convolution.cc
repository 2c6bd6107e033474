// CausalConvWithState: a depthwise convolution along time that goes on where the last call ended.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ir/dimension.h"
#include "ir/ops/group_convolution.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "runtime/readers/onnx/ops/convolution_weights.h"
#include "runtime/readers/onnx/translators.h"

namespace burin::onnx {

// y = conv(past ++ x) + bias, of which y * sigmoid(y) where `activation` says so. What is kept are the last elements of
// past ++ x, one less than the kernel has; without a past these are zeros.
absl::Status TranslateCausalConvWithState(NodeContext& node) {
  const ir::Value x = node.Input(0);
  const ir::Value weights = node.Input(1);
  if (node.KnownRank(x) != 3 || node.KnownRank(weights) != 3) {
    return node.ok() ? node.Invalid("CausalConvWithState is of tensors with three axes") : node.status();
  }
  const ir::Dimension channels = node.ShapeOf(weights)[0];
  if (!channels.is_static()) return node.Unsupported("weights of which the number of channels is not known");
  const std::string activation = node.StringAttribute("activation", "none");
  if (activation != "none" && activation != "silu" && activation != "swish") {
    return node.Invalid("The activation of a CausalConvWithState is none, silu or swish");
  }

  const ir::Value kept = node.Minus(node.SizesOf(weights, 2, 3), node.Ints({1}));
  ir::Value past = node.OptionalInput(3);
  if (!past.exists()) {
    past = node.Broadcast(node.ScalarLike(x, 0), node.Concat({node.SizesOf(x, 0, 2), kept}, 0));
  }
  const ir::Value whole = node.Concat({past, x}, 2);

  auto attributes = std::make_unique<ir::GroupConvolutionAttributes>();
  attributes->strides = {1};
  attributes->dilations = {1};
  attributes->pads_begin = {0};
  attributes->pads_end = {0};
  ir::Value y =
      node.Add(ir::GroupConvolutionOp(), {whole, SplitGroups(node, weights, channels.value())}, std::move(attributes));
  if (node.HasInput(2)) y = node.Plus(y, AlongChannels(node, node.Input(2), 3));
  if (activation != "none") y = node.Add(ir::SwishOp(), {y});

  const ir::Value start = node.Minus(node.SizesOf(whole, 2, 3), kept);
  const ir::Value end = node.Ints({std::numeric_limits<int64_t>::max()});
  const ir::Value state = node.Slice(whole, 2, start, end);
  return node.Finish({y, state});
}

}  // namespace burin::onnx
