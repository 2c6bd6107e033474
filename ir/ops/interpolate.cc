// Interpolate: resamples a tensor along some axes.
//
//   y[..., o, ...] = sum over taps (i, w) of o of w * x_padded[..., i, ...]     along each axis in turn
//
// with the taps of ir/ops/family/interpolation_taps.h. The input is padded with zeros first. Results of integer types
// are rounded to nearest, halves away from zero; nearest copies elements.
//
// Where tf_crop_and_resize reads outside the data along any axis, y is extrapolation_value.
//
// Inputs:  0 data, numeric; 1 sizes (integers) or scales (floats), as shape_calculation_mode says, a list; 2 (optional)
//          axes, integers, a list as long as input 1, all axes where absent; 3 (optional) the part of each of those
//          axes that tf_crop_and_resize reads, floats: all begins, then all ends; 0 to 1 where absent.
// Output:  the data's type; along axis k of the list sizes[k], or floor(scales[k] * padded size), the product rounded
//          to the scales' type (f32 for narrower ones), or floor of that product plus a half in mode rounded_scales;
//          the padded size along the others.
// Without scales the scale of an axis is output / padded input.
// Constraints:
//   Interpolate_c1: the data is numeric.
//   Interpolate_c2: input 1 is a list, of an integer type for sizes, of a float type for scales.
//   Interpolate_c3: the axes are different integers in [-rank, rank).
//   Interpolate_c4: there is one size or scale per axis.
//   Interpolate_c5: pads are numbers in [0, kMaxWindowParameter], at most one per axis.
//   Interpolate_c6: sizes are at least 0, scales finite and positive, and sizes so made fit into int64.
//   Interpolate_c7: an axis without elements stays so.
//   Interpolate_c8: input 3 is a list of floats, two per axis; with tf_crop_and_resize there are no pads.
#include "ir/ops/interpolate.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/element_access.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/accumulation.h"
#include "ir/ops/family/index_space.h"
#include "ir/ops/family/integer_input.h"
#include "ir/ops/family/interpolation_taps.h"
#include "ir/ops/family/window.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/reference_context.h"
#include "ir/shape.h"
#include "ir/tensor.h"

namespace burin::ir {
namespace {

int64_t PadAt(const std::vector<int64_t>& pads, size_t axis) { return axis < pads.size() ? pads[axis] : 0; }

bool HasPads(const std::vector<int64_t>& pads) {
  return std::any_of(pads.begin(), pads.end(), [](int64_t pad) { return pad != 0; });
}

bool Crops(const InterpolateAttributes& attributes) {
  return attributes.coordinate_transformation_mode == CoordinateTransformationMode::kTfCropAndResize;
}

absl::Status CheckPads(const std::vector<int64_t>& pads, const PartialShape& data) {
  for (int64_t pad : pads) {
    if (pad < 0 || pad > kMaxWindowParameter) {
      return ConstraintError("Interpolate_c5", absl::StrCat("a pad lies outside [0,", kMaxWindowParameter, "]: ", pad));
    }
  }
  // A single 0 is OpenVINO's way to write no padding, for data of any rank.
  if (HasPads(pads) && data.has_rank() && static_cast<int64_t>(pads.size()) > data.rank()) {
    return ConstraintError("Interpolate_c5", absl::StrCat("more pads than axes: ", pads.size(), " and ", data.rank()));
  }
  return absl::OkStatus();
}

absl::Status CheckAttributes(const InferContext& context) {
  const auto& attributes = context.attributes<InterpolateAttributes>();
  const ElementType type = context.input_type(0);
  if (!IsFloat(type) && !IsInteger(type)) {
    return ConstraintError("Interpolate_c1", absl::StrCat("the type is not numeric: ", Name(type)));
  }
  BURIN_RETURN_IF_ERROR(CheckPads(attributes.pads_begin, context.input_shape(0)));
  BURIN_RETURN_IF_ERROR(CheckPads(attributes.pads_end, context.input_shape(0)));
  if (Crops(attributes) && (HasPads(attributes.pads_begin) || HasPads(attributes.pads_end))) {
    return ConstraintError("Interpolate_c8", "tf_crop_and_resize of data that is padded");
  }
  if (!context.has_input(3)) return absl::OkStatus();
  BURIN_RETURN_IF_ERROR(context.RequireFloatType("Interpolate_c8", 3));
  return context.RequireRank("Interpolate_c8", 3, 1);
}

std::vector<double> ElementsAsDoubles(const Tensor& tensor) {
  std::vector<double> values(static_cast<size_t>(tensor.element_count()));
  LoadRangeAsDouble(tensor.element_type(), tensor.data(), 0, tensor.element_count(), values.data());
  return values;
}

// How a scale makes a size.
struct Scaling {
  ElementType type = ElementType::kF32;
  bool rounds = false;  // To nearest instead of down.
};

// Returns the size that a scale gives for an exactly known size.
absl::StatusOr<int64_t> ScaledSize(double scale, int64_t size, const Scaling& scaling) {
  if (!std::isfinite(scale) || scale <= 0) {
    return ConstraintError("Interpolate_c6", absl::StrCat("a scale is not a positive number: ", scale));
  }
  double product = scale * static_cast<double>(size);
  if (scaling.type != ElementType::kF64) product = static_cast<float>(product);
  constexpr double kTooLarge = 4611686018427387904.0;  // 2^62
  if (product >= kTooLarge) {
    return ConstraintError("Interpolate_c6", absl::StrCat("a size is too large: ", scale, " times ", size));
  }
  return static_cast<int64_t>(scaling.rounds ? std::floor(product + 0.5) : product);
}

absl::StatusOr<Dimension> ScaledDimension(double scale, const Dimension& dim, const Scaling& scaling) {
  if (scale == 1) return dim;
  BURIN_ASSIGN_OR_RETURN(const int64_t min, ScaledSize(scale, dim.min(), scaling));
  if (dim.max() == Dimension::kInfinite) return Dimension(min, Dimension::kInfinite);
  BURIN_ASSIGN_OR_RETURN(const int64_t max, ScaledSize(scale, dim.max(), scaling));
  return Dimension(min, max);
}

// Returns the size of each resampled axis, `padded` before, or of all where they are not known (empty `axes`).
absl::StatusOr<std::vector<Dimension>> ResampledSizes(const InferContext& context, const PartialShape& padded,
                                                      const std::vector<int64_t>& axes) {
  std::vector<Dimension> sizes(axes.size());
  const ShapeCalculationMode mode = context.attributes<InterpolateAttributes>().shape_calculation_mode;
  if (mode == ShapeCalculationMode::kSizes) {
    BURIN_ASSIGN_OR_RETURN(const std::optional<PartialValue> values, IntegerList("Interpolate_c2", context, 1));
    if (!values.has_value()) return sizes;
    for (size_t k = 0; k < axes.size(); ++k) {
      BURIN_ASSIGN_OR_RETURN(sizes[k], ToDimension("Interpolate_c6", (*values)[k]));
    }
    return sizes;
  }
  const Tensor* scales = context.constant(1);
  if (scales == nullptr) return sizes;
  BURIN_ASSIGN_OR_RETURN(const Tensor dense, scales->ToDense());
  const std::vector<double> values = ElementsAsDoubles(dense);
  const Scaling scaling = {context.input_type(1), mode == ShapeCalculationMode::kRoundedScales};
  for (size_t k = 0; k < axes.size(); ++k) {
    BURIN_ASSIGN_OR_RETURN(sizes[k], ScaledDimension(values[k], padded[axes[k]], scaling));
  }
  return sizes;
}

// Checks input 1 and returns the number of its elements, as far as known.
absl::StatusOr<Dimension> CheckSizesOrScales(const InferContext& context) {
  const bool sizes = context.attributes<InterpolateAttributes>().shape_calculation_mode == ShapeCalculationMode::kSizes;
  BURIN_RETURN_IF_ERROR(sizes ? context.RequireIntegerType("Interpolate_c2", 1)
                              : context.RequireFloatType("Interpolate_c2", 1));
  BURIN_RETURN_IF_ERROR(context.RequireRank("Interpolate_c2", 1, 1));
  return context.input_shape(1).ElementCount();
}

// Returns the axes, in the order of input 1, or nullopt where they are not known.
absl::StatusOr<std::optional<std::vector<int64_t>>> ResampledAxes(const InferContext& context, int64_t rank) {
  std::vector<int64_t> axes(static_cast<size_t>(rank));
  std::iota(axes.begin(), axes.end(), 0);
  if (context.has_input(2)) {
    BURIN_ASSIGN_OR_RETURN(const std::optional<std::vector<int64_t>> given,
                           ExactIntegerList("Interpolate_c3", context, 2));
    if (!given.has_value()) return given;
    BURIN_ASSIGN_OR_RETURN(axes, WrapUniqueAxes("Interpolate_c3", *given, rank));
  }
  return std::optional<std::vector<int64_t>>(std::move(axes));
}

absl::Status Infer(InferContext& context) {
  const auto& attributes = context.attributes<InterpolateAttributes>();
  BURIN_RETURN_IF_ERROR(CheckAttributes(context));
  BURIN_ASSIGN_OR_RETURN(const Dimension count, CheckSizesOrScales(context));
  const PartialShape& data = context.input_shape(0);
  if (!data.has_rank()) {
    context.SetOutput(0, context.input_type(0), PartialShape::DynamicRank());
    return absl::OkStatus();
  }
  BURIN_ASSIGN_OR_RETURN(const std::optional<std::vector<int64_t>> axes, ResampledAxes(context, data.rank()));
  if (!axes.has_value()) {
    context.SetOutput(0, context.input_type(0), PartialShape::OfRank(data.rank()));
    return absl::OkStatus();
  }
  if (!count.Contains(static_cast<int64_t>(axes->size()))) {
    return ConstraintError("Interpolate_c4", absl::StrCat("the number of sizes or scales differs from that of axes: ",
                                                          count.ToString(), " and ", axes->size()));
  }
  if (context.has_input(3) && !context.input_shape(3).ElementCount().Contains(2 * static_cast<int64_t>(axes->size()))) {
    return ConstraintError("Interpolate_c8", absl::StrCat("a part of an axis is a begin and an end: ",
                                                          context.input_shape(3).ToString(), " for ", axes->size()));
  }
  PartialShape output;
  for (int64_t i = 0; i < data.rank(); ++i) {
    const size_t axis = static_cast<size_t>(i);
    output.Append(data[i] + Dimension(PadAt(attributes.pads_begin, axis) + PadAt(attributes.pads_end, axis)));
  }
  BURIN_ASSIGN_OR_RETURN(const std::vector<Dimension> sizes, ResampledSizes(context, output, *axes));
  for (size_t k = 0; k < axes->size(); ++k) {
    Dimension& dim = output[(*axes)[k]];
    if (dim.max() == 0 && sizes[k].min() > 0) {
      return ConstraintError("Interpolate_c7", absl::StrCat("an axis without elements cannot grow; axis ", (*axes)[k],
                                                            " of ", data.ToString()));
    }
    dim = sizes[k];
  }
  BURIN_RETURN_IF_ERROR(RequireRepresentable("Interpolate_c6", output));
  context.SetOutput(0, context.input_type(0), std::move(output));
  return absl::OkStatus();
}

// Returns whether each of `size` elements is made of itself alone.
bool KeepsElements(const std::vector<std::vector<ResamplingTap>>& taps, int64_t size) {
  if (static_cast<int64_t>(taps.size()) != size) return false;
  for (int64_t o = 0; o < size; ++o) {
    const std::vector<ResamplingTap>& element = taps[static_cast<size_t>(o)];
    if (element.size() != 1 || element.front().index != o || element.front().weight != 1) return false;
  }
  return true;
}

// What becomes of an axis that is resampled.
struct Resampling {
  double scale = 1;
  double crop_begin = 0;
  double crop_end = 1;
};

// Returns an axis of `input` elements between its pads; without a resampling only padding is added.
InterpolatedAxis AxisOf(const InterpolateAttributes& attributes, size_t axis, int64_t input, int64_t output,
                        const std::optional<Resampling>& resampling) {
  const int64_t pad_begin = PadAt(attributes.pads_begin, axis);
  const int64_t padded = input + pad_begin + PadAt(attributes.pads_end, axis);
  InterpolatedAxis result;
  result.is_unchanged = !resampling.has_value() && padded == input;
  if (result.is_unchanged) return result;
  if (resampling.has_value()) {
    result.taps =
        ResamplingTaps(attributes, {padded, output, resampling->scale, resampling->crop_begin, resampling->crop_end});
  } else {
    for (int64_t o = 0; o < output; ++o) result.taps.push_back({{o, 1}});
  }
  if (padded == input && KeepsElements(result.taps, input)) return {};
  for (std::vector<ResamplingTap>& taps : result.taps) {
    for (ResamplingTap& tap : taps) tap.index -= pad_begin;
    const auto in_padding = [input](const ResamplingTap& tap) { return tap.index < 0 || tap.index >= input; };
    taps.erase(std::remove_if(taps.begin(), taps.end(), in_padding), taps.end());
  }
  return result;
}

// Returns the axes of an evaluation.
absl::StatusOr<std::vector<InterpolatedAxis>> AxesOf(const ReferenceContext& context) {
  std::vector<int64_t> axes(context.input(0).shape().size());
  std::iota(axes.begin(), axes.end(), 0);
  if (context.has_input(2)) axes = context.InputAsInts(2);
  std::vector<double> crop;
  if (context.has_input(3)) crop = context.InputAsDoubles(3);
  return InterpolatedAxes(context.attributes<InterpolateAttributes>(), context.input(0).shape(),
                          context.output(0).shape(), axes, context.InputAsDoubles(1), crop);
}

// Copies elements: each axis has at most one tap per output element, none where what is copied is `outside`.
absl::Status CopyNearest(ReferenceContext& context, const std::vector<InterpolatedAxis>& axes, double outside) {
  const Tensor& data = context.input(0);
  const Tensor& output = context.output(0);
  BURIN_ASSIGN_OR_RETURN(const Tensor fill, Tensor::CreateZeroed(data.element_type(), {1}));
  StoreFromDouble(data.element_type(), fill.mutable_data(), 0, outside);
  const std::vector<int64_t> strides = RowMajorStrides(data.shape());
  for (BoxWalker walker(output.shape(), {DenseView(output.shape())}); !walker.done(); walker.Next()) {
    constexpr int64_t kElementsBetweenChecks = 65536;
    if (walker.position(0) % kElementsBetweenChecks == 0) BURIN_RETURN_IF_ERROR(context.CheckCancelled());
    int64_t from = 0;
    bool inside = true;
    for (size_t axis = 0; axis < axes.size() && inside; ++axis) {
      int64_t index = walker.index()[axis];
      if (!axes[axis].is_unchanged) {
        const std::vector<ResamplingTap>& element = axes[axis].taps[static_cast<size_t>(index)];
        inside = !element.empty();
        if (inside) index = element.front().index;
      }
      from += index * strides[axis];
    }
    CopyElements(data.element_type(), inside ? data.data() : fill.data(), inside ? from : 0, output.mutable_data(),
                 walker.position(0), 1);
  }
  return absl::OkStatus();
}

// Returns `values` of shape `shape` resampled along `axis`, and updates the shape.
absl::StatusOr<std::vector<double>> ResampleAxis(const ReferenceContext& context, const std::vector<double>& values,
                                                 const InterpolatedAxis& taps, int64_t axis, Shape* shape) {
  const AxisSplit split = SplitAtAxis(*shape, axis);
  const int64_t length = static_cast<int64_t>(taps.taps.size());
  (*shape)[static_cast<size_t>(axis)] = length;
  BURIN_ASSIGN_OR_RETURN(const int64_t count, ElementCount(*shape));
  std::vector<double> result(static_cast<size_t>(count), 0);
  if (count == 0) return result;
  for (int64_t outer = 0; outer < split.outer; ++outer) {
    BURIN_RETURN_IF_ERROR(context.CheckCancelled());
    for (int64_t o = 0; o < length; ++o) {
      double* const to = result.data() + (outer * length + o) * split.inner;
      for (const ResamplingTap& tap : taps.taps[static_cast<size_t>(o)]) {
        const double* const from = values.data() + (outer * split.length + tap.index) * split.inner;
        AddScaled(tap.weight, from, 1, to, 1, split.inner);
      }
    }
  }
  return result;
}

// Sets the elements that some axis has no taps for.
void FillOutside(const std::vector<InterpolatedAxis>& axes, const Shape& shape, double value,
                 std::vector<double>* values) {
  for (size_t axis = 0; axis < axes.size(); ++axis) {
    const AxisSplit split = SplitAtAxis(shape, static_cast<int64_t>(axis));
    for (size_t o = 0; o < axes[axis].taps.size(); ++o) {
      if (!axes[axis].taps[o].empty()) continue;
      for (int64_t outer = 0; outer < split.outer; ++outer) {
        std::fill_n(values->data() + (outer * split.length + static_cast<int64_t>(o)) * split.inner, split.inner,
                    value);
      }
    }
  }
}

absl::Status Reference(ReferenceContext& context) {
  const auto& attributes = context.attributes<InterpolateAttributes>();
  if (context.output(0).element_count() == 0) return absl::OkStatus();
  BURIN_ASSIGN_OR_RETURN(const std::vector<InterpolatedAxis> axes, AxesOf(context));
  const double outside = Crops(attributes) ? attributes.extrapolation_value : 0;
  if (attributes.mode == InterpolateMode::kNearest) return CopyNearest(context, axes, outside);
  std::vector<double> values = context.InputAsDoubles(0);
  Shape shape = context.input(0).shape();
  for (size_t axis = 0; axis < axes.size(); ++axis) {
    if (axes[axis].is_unchanged) continue;
    BURIN_ASSIGN_OR_RETURN(values, ResampleAxis(context, values, axes[axis], static_cast<int64_t>(axis), &shape));
  }
  if (outside != 0) FillOutside(axes, shape, outside, &values);
  if (!IsFloat(context.output_type(0))) {
    for (double& value : values) value = std::round(value);
  }
  context.StoreDoubles(0, values);
  return absl::OkStatus();
}

// Two flops per tap of the last axis resampled, where most work is; nearest only moves data.
Cost InterpolateCost(const CostContext& context) {
  Cost cost = ElementwiseCost(context);
  switch (context.attributes<InterpolateAttributes>().mode) {
    case InterpolateMode::kNearest:
      cost.flops = 0;
      break;
    case InterpolateMode::kLinear:
    case InterpolateMode::kLinearOnnx:
    case InterpolateMode::kBilinearPillow:
      cost.flops = 4 * context.OutputElements(0);
      break;
    case InterpolateMode::kCubic:
    case InterpolateMode::kBicubicPillow:
      cost.flops = 8 * context.OutputElements(0);
      break;
  }
  return cost;
}

}  // namespace

absl::StatusOr<std::vector<InterpolatedAxis>> InterpolatedAxes(const InterpolateAttributes& attributes,
                                                               const Shape& data, const Shape& output,
                                                               absl::Span<const int64_t> axes,
                                                               absl::Span<const double> scales,
                                                               absl::Span<const double> crop) {
  const bool by_scales = attributes.shape_calculation_mode != ShapeCalculationMode::kSizes;
  BURIN_ASSIGN_OR_RETURN(const std::vector<int64_t> wrapped,
                         WrapUniqueAxes("Interpolate_c3", axes, static_cast<int64_t>(data.size())));
  if (by_scales && scales.size() != axes.size()) {
    return ConstraintError(
        "Interpolate_c4",
        absl::StrCat("the number of scales differs from that of axes: ", scales.size(), " and ", axes.size()));
  }
  if (!crop.empty() && crop.size() != 2 * axes.size()) {
    return ConstraintError("Interpolate_c8", absl::StrCat("a part of an axis is a begin and an end: ", crop.size(),
                                                          " numbers for ", axes.size()));
  }
  std::vector<std::optional<Resampling>> resampling_of(data.size());
  for (size_t k = 0; k < wrapped.size(); ++k) {
    const size_t axis = static_cast<size_t>(wrapped[k]);
    const int64_t padded = data[axis] + PadAt(attributes.pads_begin, axis) + PadAt(attributes.pads_end, axis);
    Resampling& resampling = resampling_of[axis].emplace();
    resampling.scale = by_scales ? scales[k] : static_cast<double>(output[axis]) / static_cast<double>(padded);
    if (crop.empty()) continue;
    resampling.crop_begin = crop[k];
    resampling.crop_end = crop[axes.size() + k];
  }
  std::vector<InterpolatedAxis> result;
  for (size_t axis = 0; axis < data.size(); ++axis) {
    result.push_back(AxisOf(attributes, axis, data[axis], output[axis], resampling_of[axis]));
  }
  return result;
}

const OpDef& InterpolateOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kInterpolate, "Interpolate", "opset11");
    d.min_inputs = 2;
    d.max_inputs = 4;
    d.make_attributes = &MakeAttributes<InterpolateAttributes>;
    d.infer = &Infer;
    d.reference = &Reference;
    d.cost = &InterpolateCost;
    d.tolerance = ToleranceClass::kAccumulated;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
