// GridSample: samples at positions that another tensor names.
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "ir/ops/grid_sample.h"
#include "ir/ops/ops.h"
#include "runtime/readers/onnx/translators.h"

namespace burin::onnx {
namespace {

// Opset 16 has the names of images, later ones those of any number of axes.
ir::GridSampleMode ReadMode(NodeContext& node) {
  const std::string mode = node.StringAttribute("mode", "linear");
  if (mode == "linear" || mode == "bilinear") return ir::GridSampleMode::kBilinear;
  if (mode == "cubic" || mode == "bicubic") return ir::GridSampleMode::kBicubic;
  if (mode != "nearest") node.Fail(absl::InvalidArgumentError(absl::StrCat("Unknown mode: ", mode)));
  return ir::GridSampleMode::kNearest;
}

ir::GridSamplePadding ReadPadding(NodeContext& node) {
  const std::string padding = node.StringAttribute("padding_mode", "zeros");
  if (padding == "border") return ir::GridSamplePadding::kBorder;
  if (padding == "reflection") return ir::GridSamplePadding::kReflection;
  if (padding != "zeros") node.Fail(absl::InvalidArgumentError(absl::StrCat("Unknown padding_mode: ", padding)));
  return ir::GridSamplePadding::kZeros;
}

}  // namespace

absl::Status TranslateGridSample(NodeContext& node) {
  auto attributes = std::make_unique<ir::GridSampleAttributes>();
  attributes->align_corners = node.IntAttribute("align_corners", 0) != 0;
  attributes->mode = ReadMode(node);
  attributes->padding_mode = ReadPadding(node);
  return node.Finish({node.Add(ir::GridSampleOp(), {node.Input(0), node.Input(1)}, std::move(attributes))});
}

}  // namespace burin::onnx
