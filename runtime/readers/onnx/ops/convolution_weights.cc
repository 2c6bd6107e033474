#include "runtime/readers/onnx/ops/convolution_weights.h"

#include <memory>
#include <utility>
#include <vector>

#include "ir/ops/convolution.h"
#include "ir/ops/group_convolution.h"
#include "ir/ops/ops.h"
#include "runtime/readers/onnx/ops/window.h"

namespace burin::onnx {

ir::Value SplitGroups(NodeContext& node, ir::Value weights, int64_t group) {
  const int64_t rank = node.KnownRank(weights);
  if (!node.ok()) return weights;
  const ir::PartialShape& shape = node.ShapeOf(weights);
  if (shape.is_dynamic()) {
    return node.Reshape(weights, node.Concat({node.Ints({group, -1}), node.SizesOf(weights, 1, rank)}, 0));
  }
  std::vector<int64_t> sizes = shape.ToShape();
  if (sizes[0] % group != 0) {
    node.Fail(absl::InvalidArgumentError("The number of channels is no multiple of the number of groups"));
    return weights;
  }
  sizes[0] /= group;
  sizes.insert(sizes.begin(), group);
  return node.Reshape(weights, sizes);
}

ir::Value AlongChannels(NodeContext& node, ir::Value vector, int64_t rank) {
  std::vector<int64_t> sizes(static_cast<size_t>(rank), 1);
  sizes[1] = -1;
  return node.Reshape(vector, sizes);
}

ir::Value Convolve(NodeContext& node, ir::Value x, ir::Value weights) {
  const int64_t rank = node.KnownRank(weights);
  if (!node.ok()) return ir::Value::None();
  if (rank < 3) {
    node.Fail(absl::InvalidArgumentError("The weights of a convolution have at least 3 axes"));
    return ir::Value::None();
  }
  const std::vector<int64_t> kernel = node.IntsAttribute("kernel_shape");
  const ir::PartialShape& shape = node.ShapeOf(weights);
  if (!kernel.empty() && static_cast<int64_t>(kernel.size()) != rank - 2) {
    node.Fail(absl::InvalidArgumentError("kernel_shape has another rank than the weights"));
  }
  for (int64_t d = 0; d < static_cast<int64_t>(kernel.size()) && node.ok(); ++d) {
    if (!shape[d + 2].Contains(kernel[static_cast<size_t>(d)])) {
      node.Fail(absl::InvalidArgumentError("kernel_shape contradicts the shape of the weights"));
    }
  }
  const int64_t group = node.IntAttribute("group", 1);
  if (group < 1) node.Fail(absl::InvalidArgumentError("The number of groups must be positive"));
  if (!node.ok()) return ir::Value::None();
  if (group == 1) {
    auto attributes = std::make_unique<ir::ConvolutionAttributes>();
    ReadWindow(node, rank - 2, attributes.get());
    return node.Add(ir::ConvolutionOp(), {x, weights}, std::move(attributes));
  }
  auto attributes = std::make_unique<ir::GroupConvolutionAttributes>();
  ReadWindow(node, rank - 2, attributes.get());
  return node.Add(ir::GroupConvolutionOp(), {x, SplitGroups(node, weights, group)}, std::move(attributes));
}

}  // namespace burin::onnx
