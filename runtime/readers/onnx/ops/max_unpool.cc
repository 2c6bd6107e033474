// MaxUnpool: puts maxima back to where MaxPool found them.
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "ir/ops/ops.h"
#include "ir/ops/pad.h"
#include "ir/ops/scatter_elements_update.h"
#include "runtime/readers/onnx/translators.h"

namespace burin::onnx {

// The size of an axis is (size - 1) * stride - pads + kernel, and the indices count the elements of such a tensor in
// row-major order. Where output_shape is more than that, zeros follow.
absl::Status TranslateMaxUnpool(NodeContext& node) {
  const ir::Value x = node.Input(0);
  const std::vector<int64_t> kernel = node.IntsAttribute("kernel_shape");
  const size_t axes = kernel.size();
  const std::vector<int64_t> strides = node.IntsAttribute("strides", std::vector<int64_t>(axes, 1));
  const std::vector<int64_t> pads = node.IntsAttribute("pads", std::vector<int64_t>(2 * axes, 0));
  const int64_t rank = node.KnownRank(x);
  if (!node.ok()) return node.status();
  if (rank != static_cast<int64_t>(axes) + 2 || strides.size() != axes || pads.size() != 2 * axes) {
    return node.Invalid("The attributes of a MaxUnpool have a number for each axis");
  }
  std::vector<int64_t> added;
  for (size_t i = 0; i < axes; ++i) added.push_back(kernel[i] - pads[i] - pads[axes + i]);
  const ir::Value spatial =
      node.Plus(node.Times(node.Minus(node.SizesOf(x, 2, rank), node.Ints({1})), node.Ints(strides)), node.Ints(added));
  const ir::Value sizes = node.Concat({node.SizesOf(x, 0, 2), spatial}, 0);

  const ir::Value zeros = node.Reshape(node.Broadcast(node.ScalarLike(x, 0), sizes), {-1});
  const ir::Value flat = node.Add(ir::ScatterElementsUpdateOp(),
                                  {zeros, node.Reshape(node.Input(1), {-1}), node.Reshape(x, {-1}), node.Int(0)},
                                  std::make_unique<ir::ScatterElementsUpdateAttributes>());
  ir::Value y = node.Reshape(flat, sizes);
  if (node.HasInput(2)) {
    const ir::Value none = node.Ints(std::vector<int64_t>(static_cast<size_t>(rank), 0));
    y = node.Add(ir::PadOp(), {y, none, node.Minus(node.Input(2), sizes), node.ScalarLike(x, 0)},
                 std::make_unique<ir::PadAttributes>());
  }
  return node.Finish({y});
}

}  // namespace burin::onnx
