// Col2Im: adds blocks of elements up to an image.
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "ir/ops/col2im.h"
#include "ir/ops/ops.h"
#include "runtime/readers/onnx/translators.h"

namespace burin::onnx {

absl::Status TranslateCol2Im(NodeContext& node) {
  auto attributes = std::make_unique<ir::Col2ImAttributes>();
  attributes->window.strides = node.IntsAttribute("strides");
  attributes->window.dilations = node.IntsAttribute("dilations");
  // First those before each axis, then those after it.
  const std::vector<int64_t> pads = node.IntsAttribute("pads");
  if (pads.size() % 2 != 0) return node.Invalid("The pads of a Col2Im are two for each axis of the image");
  const auto middle = pads.begin() + static_cast<ptrdiff_t>(pads.size() / 2);
  attributes->window.pads_begin.assign(pads.begin(), middle);
  attributes->window.pads_end.assign(middle, pads.end());
  if (node.RankOf(node.Input(0)) == 2) return node.Invalid("Col2Im is of tensors with three axes");
  return node.Finish({node.Add(ir::Col2ImOp(), {node.Input(0), node.Input(1), node.Input(2)}, std::move(attributes))});
}

}  // namespace burin::onnx
