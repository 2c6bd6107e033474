#include "runtime/plugins/cpu/nodes/along_axes/interpolate_node.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/element_access.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/ops/family/interpolation_taps.h"
#include "ir/shape.h"
#include "ir/tensor.h"
#include "jit/kernels/resize/resize_plan.h"
#include "jit/kernels/resize/resize_spec.h"
#include "runtime/plugins/cpu/graph/value_desc.h"
#include "runtime/plugins/cpu/nodes/copy_primitive.h"
#include "runtime/plugins/cpu/nodes/movement/movement_node.h"

namespace burin::cpu {

namespace {

bool IsUnchanged(const std::vector<ResampledDimension>& dimensions) {
  return std::all_of(dimensions.begin(), dimensions.end(),
                     [](const ResampledDimension& dimension) { return dimension.is_unchanged; });
}

}  // namespace

absl::StatusOr<std::shared_ptr<const Node>> InterpolateNode::Create(const ir::Node& node, const NodeContext&) {
  const auto& attributes = node.attributes_as<ir::InterpolateAttributes>();
  const ElementType type = node.output(0).type;
  const bool moves = attributes.mode == ir::InterpolateMode::kNearest && BitWidth(type) >= 8;
  if (!moves && type != ElementType::kF32) {
    return absl::UnimplementedError(absl::StrCat("no kernel interpolates ", Name(type)));
  }
  if (attributes.coordinate_transformation_mode == ir::CoordinateTransformationMode::kTfCropAndResize) {
    return absl::UnimplementedError("no kernel resizes a part of an axis");
  }
  return std::shared_ptr<const Node>(new InterpolateNode(attributes));
}

absl::StatusOr<std::vector<ResampledDimension>> InterpolateNode::DimensionsOf(const NodeValues& values) const {
  const ir::Shape& input = values.inputs[0].desc.shape;
  std::vector<int64_t> axes(input.size());
  std::iota(axes.begin(), axes.end(), int64_t{0});
  if (values.inputs.size() > 2 && values.inputs[2].exists) {
    BURIN_ASSIGN_OR_RETURN(axes, ConstantInts(values, 2));
  }
  std::vector<double> scales;
  // Sizes are those of the output.
  if (attributes_.shape_calculation_mode != ir::ShapeCalculationMode::kSizes) {
    if (!values.inputs[1].constant.has_value()) return absl::UnimplementedError("input 1 is not constant");
    BURIN_ASSIGN_OR_RETURN(const ir::Tensor given, values.inputs[1].constant.ToDense());
    scales.resize(static_cast<size_t>(given.element_count()));
    LoadRangeAsDouble(given.element_type(), given.data(), 0, given.element_count(), scales.data());
  }
  BURIN_ASSIGN_OR_RETURN(const std::vector<ir::InterpolatedAxis> interpolated,
                         ir::InterpolatedAxes(attributes_, input, values.outputs[0].shape, axes, scales));
  std::vector<ResampledDimension> dimensions;
  for (const ir::InterpolatedAxis& axis : interpolated) {
    ResampledDimension& dimension = dimensions.emplace_back();
    dimension.is_unchanged = axis.is_unchanged;
    for (const std::vector<ir::ResamplingTap>& element : axis.taps) {
      std::vector<jit::ResizeTap>& taps = dimension.taps.emplace_back();
      for (const ir::ResamplingTap& tap : element) taps.push_back({tap.index, static_cast<float>(tap.weight)});
    }
  }
  return dimensions;
}

std::vector<NodeCandidate> InterpolateNode::Candidates(const NodeValues& values, const NodeContext& context) const {
  const absl::StatusOr<std::vector<ResampledDimension>> dimensions = DimensionsOf(values);
  if (!dimensions.ok()) return {};
  const ValueDesc& input = values.inputs[0].desc;
  std::vector<NodeCandidate> candidates;
  for (const Layout layout : {Layout::kRowMajor, Layout::kChannelsLast}) {
    if (layout == Layout::kChannelsLast && input.shape.size() < 3) continue;
    NodeCandidate candidate = RowMajorCandidate(values);
    candidate.inputs[0] = layout;
    candidate.outputs[0] = layout;
    if (!IsUnchanged(*dimensions)) {
      const absl::StatusOr<jit::ResizeSpec> spec =
          ResizeSpecOf(input.type, input.shape, values.outputs[0].shape, layout, *dimensions);
      if (!spec.ok() || !spec->Validate().ok()) continue;
      candidate.cycles = jit::EstimateResizeCycles(*spec, context.target);
    }
    candidates.push_back(std::move(candidate));
  }
  return candidates;
}

absl::StatusOr<std::unique_ptr<const Primitive>> InterpolateNode::CreatePrimitive(const NodeValues& values,
                                                                                  const NodeContext& context) const {
  const ValueDesc& input = values.inputs[0].desc;
  const ValueDesc& output = values.outputs[0];
  BURIN_ASSIGN_OR_RETURN(const std::vector<ResampledDimension> dimensions, DimensionsOf(values));
  if (IsUnchanged(dimensions)) {
    BURIN_ASSIGN_OR_RETURN(ElementMove move, MoveBetween(input, output));
    return MakeCopyPrimitive({std::move(move)}, context);
  }
  BURIN_ASSIGN_OR_RETURN(const jit::ResizeSpec spec,
                         ResizeSpecOf(input.type, input.shape, output.shape, output.layout, dimensions));
  return MakeResizePrimitive(spec, nullptr, context);
}

}  // namespace burin::cpu
