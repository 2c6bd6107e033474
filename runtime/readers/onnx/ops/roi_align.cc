// Pooling of regions: RoiAlign, and MaxRoiPool before it.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "ir/ops/ops.h"
#include "ir/ops/roi_align.h"
#include "runtime/readers/onnx/translators.h"

namespace burin::onnx {
namespace {

ir::ROIAlignMode ReadMode(NodeContext& node) {
  const std::string mode = node.StringAttribute("mode", "avg");
  if (mode == "avg") return ir::ROIAlignMode::kAvg;
  if (mode != "max") node.Fail(absl::InvalidArgumentError(absl::StrCat("Unknown mode: ", mode)));
  return ir::ROIAlignMode::kMax;
}

// Opset 10 does not shift coordinates, later ones do unless told otherwise.
ir::ROIAlignedMode ReadCoordinates(NodeContext& node) {
  if (node.since() < 16) return ir::ROIAlignedMode::kAsymmetric;
  const std::string mode = node.StringAttribute("coordinate_transformation_mode", "half_pixel");
  if (mode == "output_half_pixel") return ir::ROIAlignedMode::kAsymmetric;
  if (mode != "half_pixel") {
    node.Fail(absl::InvalidArgumentError(absl::StrCat("Unknown coordinate_transformation_mode: ", mode)));
  }
  return ir::ROIAlignedMode::kHalfPixelForNn;
}

}  // namespace

absl::Status TranslateRoiAlign(NodeContext& node) {
  auto attributes = std::make_unique<ir::ROIAlignAttributes>();
  attributes->pooled_h = node.IntAttribute("output_height", 1);
  attributes->pooled_w = node.IntAttribute("output_width", 1);
  attributes->sampling_ratio = node.IntAttribute("sampling_ratio", 0);
  attributes->spatial_scale = node.FloatAttribute("spatial_scale", 1);
  attributes->mode = ReadMode(node);
  attributes->aligned_mode = ReadCoordinates(node);
  return node.Finish(
      {node.Add(ir::ROIAlignOp(), {node.Input(0), node.Input(1), node.Input(2)}, std::move(attributes))});
}

// A region is [image, x1, y1, x2, y2].
absl::Status TranslateMaxRoiPool(NodeContext& node) {
  const std::vector<int64_t> sizes = node.IntsAttribute("pooled_shape");
  if (sizes.size() != 2) return node.Invalid("pooled_shape must be a height and a width");
  auto attributes = std::make_unique<ir::ROIAlignAttributes>();
  attributes->pooled_h = sizes[0];
  attributes->pooled_w = sizes[1];
  attributes->spatial_scale = node.FloatAttribute("spatial_scale", 1);
  attributes->mode = ir::ROIAlignMode::kMaxOfElements;
  const ir::Value regions = node.Input(1);
  const ir::Value images = node.Convert(node.Squeeze(node.Slice(regions, 1, 0, 1), {1}), ElementType::kI64);
  return node.Finish(
      {node.Add(ir::ROIAlignOp(), {node.Input(0), node.Slice(regions, 1, 1, 5), images}, std::move(attributes))});
}

}  // namespace burin::onnx
