// DeformConv: a convolution whose taps are moved by offsets.
#include <memory>
#include <utility>
#include <vector>

#include "ir/ops/deformable_convolution.h"
#include "ir/ops/ops.h"
#include "runtime/readers/onnx/ops/convolution_weights.h"
#include "runtime/readers/onnx/ops/window.h"
#include "runtime/readers/onnx/translators.h"

namespace burin::onnx {

// The inputs are x, weights [M, C / group, kernel...], offsets, a bias and a mask; outside of x there are zeros.
absl::Status TranslateDeformConv(NodeContext& node) {
  const ir::Value weights = node.Input(1);
  const int64_t rank = node.KnownRank(weights);
  if (!node.ok()) return node.status();
  if (rank < 3) return node.Invalid("The weights of a convolution have at least 3 axes");
  if (rank > 5) return node.Unsupported("more than 3 spatial axes");
  auto attributes = std::make_unique<ir::DeformableConvolutionAttributes>();
  ReadWindow(node, rank - 2, attributes.get());
  attributes->group = node.IntAttribute("group", 1);
  attributes->deformable_group = node.IntAttribute("offset_group", 1);
  attributes->bilinear_interpolation_pad = true;
  std::vector<ir::Value> inputs = {node.Input(0), node.Input(2), weights};
  if (node.HasInput(4)) inputs.push_back(node.Input(4));
  const ir::Value y = node.Add(ir::DeformableConvolutionOp(), std::move(inputs), std::move(attributes));
  if (!node.HasInput(3)) return node.Finish({y});
  return node.Finish({node.Plus(y, AlongChannels(node, node.Input(3), rank))});
}

}  // namespace burin::onnx
