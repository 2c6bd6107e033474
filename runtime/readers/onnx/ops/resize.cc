// Resize, and Upsample before it.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/element_access.h"
#include "ir/ops/family/reduction.h"
#include "ir/ops/interpolate.h"
#include "ir/ops/ops.h"
#include "runtime/readers/onnx/translators.h"

namespace burin::onnx {
namespace {

// The number of elements of each axis after, or its factor; and the axes that they belong to.
struct Target {
  ir::ShapeCalculationMode mode = ir::ShapeCalculationMode::kSizes;
  ir::Value values;  // A vector with one element per axis of `axes`.
  std::vector<int64_t> axes;

  bool is_scales() const { return mode != ir::ShapeCalculationMode::kSizes; }
};

// Returns whether the node reads a part of the data, which its roi gives.
bool Crops(NodeContext& node) {
  return node.since() >= 11 &&
         node.StringAttribute("coordinate_transformation_mode", "half_pixel") == "tf_crop_and_resize";
}

std::optional<std::vector<double>> NumbersOf(const NodeContext& node, ir::Value value) {
  const ir::Tensor* const tensor = node.ConstantOf(value);
  if (tensor == nullptr) return std::nullopt;
  std::vector<double> numbers(static_cast<size_t>(tensor->element_count()));
  LoadRangeAsDouble(tensor->element_type(), tensor->data(), 0, tensor->element_count(), numbers.data());
  return numbers;
}

// Drops the axes that keep their size, as far as that is known: interpolating along them would change nothing.
void DropUnchangedAxes(NodeContext& node, ir::Value x, Target* target) {
  const ir::PartialShape& shape = node.ShapeOf(x);
  const std::optional<std::vector<double>> scales =
      target->is_scales() ? NumbersOf(node, target->values) : std::optional<std::vector<double>>();
  const std::optional<ir::PartialValue>& sizes = node.Info(target->values).content;
  std::vector<int64_t> kept;
  for (size_t i = 0; i < target->axes.size(); ++i) {
    const ir::Dimension& dim = shape[target->axes[i]];
    const bool is_unchanged = target->is_scales()
                                  ? scales.has_value() && i < scales->size() && (*scales)[i] == 1
                                  : sizes.has_value() && i < sizes->size() && dim.MustEqual((*sizes)[i]);
    if (!is_unchanged) kept.push_back(static_cast<int64_t>(i));
  }
  if (kept.size() == target->axes.size()) return;
  if (kept.empty()) kept.push_back(0);
  std::vector<int64_t> axes;
  for (const int64_t place : kept) axes.push_back(target->axes[static_cast<size_t>(place)]);
  target->axes = std::move(axes);
  target->values = node.Add(ir::GatherOp(), {target->values, node.Ints(kept), node.Int(0)});
}

// Turns sizes into one scale for all axes, the smallest or largest of those that the sizes ask for.
void KeepAspectRatio(NodeContext& node, ir::Value x, bool not_larger, Target* target) {
  const ir::Value before = node.Add(ir::GatherOp(), {node.SizesOf(x), node.Ints(target->axes), node.Int(0)});
  const ir::Value scales =
      node.Over(node.Convert(target->values, ElementType::kF64), node.Convert(before, ElementType::kF64));
  auto attributes = std::make_unique<ir::ReductionAttributes>();
  attributes->keep_dims = true;
  const ir::Value scale =
      node.Add(not_larger ? ir::ReduceMinOp() : ir::ReduceMaxOp(), {scales, node.Ints({0})}, std::move(attributes));
  target->mode = ir::ShapeCalculationMode::kRoundedScales;
  target->values = node.Broadcast(scale, node.Ints({static_cast<int64_t>(target->axes.size())}));
}

Target ReadTarget(NodeContext& node, ir::Value x) {
  Target target;
  const int64_t rank = node.KnownRank(x);
  const int64_t scales_input = node.since() >= 11 ? 2 : 1;
  for (int64_t d = 0; d < rank; ++d) target.axes.push_back(d);
  if (node.HasAttribute("axes")) {
    target.axes = node.IntsAttribute("axes");
    for (int64_t& axis : target.axes) axis = node.NormalizeAxis(axis, rank);
  }
  // An empty vector of scales stands for none at all where sizes are given.
  const bool has_sizes = node.since() >= 11 && node.HasInput(3);
  if (!has_sizes) target.mode = ir::ShapeCalculationMode::kScales;
  if (has_sizes) {
    target.values = node.Convert(node.Input(3), ElementType::kI64);
  } else if (node.since() < 9) {
    std::vector<double> scales = node.FloatsAttribute("scales");
    if (node.HasAttribute("height_scale")) {
      scales = {1, 1, node.FloatAttribute("height_scale", 1), node.FloatAttribute("width_scale", 1)};
    }
    std::vector<ir::Value> pieces;
    for (const double scale : scales) pieces.push_back(node.Reshape(node.Scalar(ElementType::kF32, scale), {1}));
    if (static_cast<int64_t>(scales.size()) != rank) {
      node.Fail(absl::InvalidArgumentError("Upsample needs one scale per axis"));
      return target;
    }
    target.values = node.Concat(std::move(pieces), 0);
  } else {
    target.values = node.Input(scales_input);
  }
  if (!node.ok()) return target;
  if (has_sizes && node.HasAttribute("keep_aspect_ratio_policy")) {
    const std::string policy = node.StringAttribute("keep_aspect_ratio_policy", "stretch");
    if (policy != "stretch" && policy != "not_larger" && policy != "not_smaller") {
      node.Fail(absl::InvalidArgumentError(absl::StrCat("Unknown keep_aspect_ratio_policy: ", policy)));
      return target;
    }
    if (policy != "stretch") KeepAspectRatio(node, x, policy == "not_larger", &target);
  }
  // A part of an axis can have as many elements as the axis.
  if (node.ok() && !Crops(node)) DropUnchangedAxes(node, x, &target);
  return target;
}

void ReadMode(NodeContext& node, ir::InterpolateAttributes* attributes) {
  const std::string mode = node.StringAttribute("mode", "nearest");
  if (mode == "nearest") {
    attributes->mode = ir::InterpolateMode::kNearest;
  } else if (mode == "linear" || mode == "bilinear") {
    attributes->mode = ir::InterpolateMode::kLinearOnnx;
  } else if (mode == "cubic") {
    attributes->mode = ir::InterpolateMode::kCubic;
  } else {
    node.Fail(absl::InvalidArgumentError(absl::StrCat("Unknown mode: ", mode)));
  }
}

void ReadNearestMode(NodeContext& node, ir::InterpolateAttributes* attributes) {
  const std::string mode = node.StringAttribute("nearest_mode", "round_prefer_floor");
  if (mode == "round_prefer_floor") {
    attributes->nearest_mode = ir::NearestMode::kRoundPreferFloor;
  } else if (mode == "round_prefer_ceil") {
    attributes->nearest_mode = ir::NearestMode::kRoundPreferCeil;
  } else if (mode == "floor") {
    attributes->nearest_mode = ir::NearestMode::kFloor;
  } else if (mode == "ceil") {
    attributes->nearest_mode = ir::NearestMode::kCeil;
  } else {
    node.Fail(absl::InvalidArgumentError(absl::StrCat("Unknown nearest_mode: ", mode)));
  }
}

void ReadCoordinates(NodeContext& node, bool is_scales, ir::InterpolateAttributes* attributes) {
  using Mode = ir::CoordinateTransformationMode;
  const std::string mode = node.StringAttribute("coordinate_transformation_mode", "half_pixel");
  if (mode == "half_pixel") {
    attributes->coordinate_transformation_mode = Mode::kHalfPixel;
  } else if (mode == "half_pixel_symmetric") {
    attributes->coordinate_transformation_mode = Mode::kHalfPixelSymmetric;
  } else if (mode == "pytorch_half_pixel") {
    attributes->coordinate_transformation_mode = Mode::kPytorchHalfPixel;
  } else if (mode == "align_corners") {
    // The standard computes with the length before it is rounded down.
    attributes->coordinate_transformation_mode = is_scales ? Mode::kAlignCornersUnrounded : Mode::kAlignCorners;
  } else if (mode == "asymmetric") {
    attributes->coordinate_transformation_mode = Mode::kAsymmetric;
  } else if (mode == "tf_half_pixel_for_nn") {
    attributes->coordinate_transformation_mode = Mode::kTfHalfPixelForNn;
  } else if (mode == "tf_crop_and_resize") {
    attributes->coordinate_transformation_mode = Mode::kTfCropAndResize;
    attributes->extrapolation_value = node.FloatAttribute("extrapolation_value", 0);
  } else {
    node.Fail(absl::InvalidArgumentError(absl::StrCat("Unknown coordinate_transformation_mode: ", mode)));
  }
}

absl::Status Interpolate(NodeContext& node, ir::Value x, const Target& target,
                         std::unique_ptr<ir::InterpolateAttributes> attributes) {
  attributes->shape_calculation_mode = target.mode;
  attributes->cube_coeff = node.FloatAttribute("cubic_coeff_a", -0.75);
  std::vector<ir::Value> inputs = {x, target.values, node.Ints(target.axes)};
  if (Crops(node)) inputs.push_back(node.Input(1));
  return node.Finish({node.Add(ir::InterpolateOp(), std::move(inputs), std::move(attributes))});
}

}  // namespace

// Opset 10 knows one rule for coordinates, asymmetric ones rounded down; later ones name theirs.
absl::Status TranslateResize(NodeContext& node) {
  const ir::Value x = node.Input(0);
  const Target target = ReadTarget(node, x);
  auto attributes = std::make_unique<ir::InterpolateAttributes>();
  ReadMode(node, attributes.get());
  if (node.since() < 11) {
    attributes->coordinate_transformation_mode = ir::CoordinateTransformationMode::kAsymmetric;
    attributes->nearest_mode = ir::NearestMode::kFloor;
    return Interpolate(node, x, target, std::move(attributes));
  }
  ReadNearestMode(node, attributes.get());
  ReadCoordinates(node, target.is_scales(), attributes.get());
  attributes->antialias = node.IntAttribute("antialias", 0) != 0;
  attributes->exclude_outside = node.IntAttribute("exclude_outside", 0) != 0;
  return Interpolate(node, x, target, std::move(attributes));
}

absl::Status TranslateUpsample(NodeContext& node) {
  const ir::Value x = node.Input(0);
  const Target target = ReadTarget(node, x);
  auto attributes = std::make_unique<ir::InterpolateAttributes>();
  ReadMode(node, attributes.get());
  attributes->coordinate_transformation_mode = ir::CoordinateTransformationMode::kAsymmetric;
  attributes->nearest_mode = ir::NearestMode::kFloor;
  return Interpolate(node, x, target, std::move(attributes));
}

}  // namespace burin::onnx
