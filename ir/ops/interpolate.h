// The attributes of Interpolate, and which elements each axis of the output is made of. For the op itself see
// ir/ops/ops.h; plain data, thread-compatible.
#ifndef BURIN_IR_OPS_INTERPOLATE_H_
#define BURIN_IR_OPS_INTERPOLATE_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "base/enum_names.h"
#include "ir/attributes.h"
#include "ir/ops/family/interpolation_taps.h"
#include "ir/shape.h"

namespace burin::ir {

// Says what input 1 holds.
enum class ShapeCalculationMode : uint8_t {
  kSizes,
  kScales,         // Sizes are rounded down.
  kRoundedScales,  // Sizes are rounded to nearest, halves up; OpenVINO has no such mode.
};

}  // namespace burin::ir

namespace burin {

template <>
struct EnumNames<ir::ShapeCalculationMode> {
  static constexpr EnumEntry<ir::ShapeCalculationMode> kEntries[] = {
      {ir::ShapeCalculationMode::kSizes, "sizes"},
      {ir::ShapeCalculationMode::kScales, "scales"},
      {ir::ShapeCalculationMode::kRoundedScales, "rounded_scales"},
  };
};

}  // namespace burin

namespace burin::ir {

struct InterpolateAttributes final : AttributesOf<InterpolateAttributes>, ResamplingParameters {
  ShapeCalculationMode shape_calculation_mode = ShapeCalculationMode::kSizes;
  // Zeros added around the input before interpolating, one number per axis; missing ones are 0.
  std::vector<int64_t> pads_begin;
  std::vector<int64_t> pads_end;
  // The element that stands where tf_crop_and_resize reads outside the data.
  double extrapolation_value = 0;

  using AttributesOf::VisitAttributes;
  void VisitAttributes(AttributeVisitor& visitor) override {
    visitor.Visit("mode", mode);
    visitor.Visit("shape_calculation_mode", shape_calculation_mode);
    visitor.Visit("coordinate_transformation_mode", coordinate_transformation_mode);
    visitor.Visit("nearest_mode", nearest_mode);
    visitor.Visit("antialias", antialias);
    visitor.Visit("pads_begin", pads_begin);
    visitor.Visit("pads_end", pads_end);
    visitor.Visit("cube_coeff", cube_coeff);
    visitor.Visit("exclude_outside", exclude_outside);
    visitor.Visit("extrapolation_value", extrapolation_value);
  }
};

// How an axis of the data becomes one of the output.
struct InterpolatedAxis {
  // Whether the output has the elements of the data; `taps` is empty then.
  bool is_unchanged = true;
  // By element of the output, in indices of the data without padding; of padding, and of what lies outside the data by
  // tf_crop_and_resize, there is no tap.
  std::vector<std::vector<ResamplingTap>> taps;
};

// Returns the axes of data of shape `data`, one per dimension, that becomes `output`, which has elements. `axes` are
// those of input 2, or of all dimensions; `scales` has the elements of input 1 in the modes of scales, and is not read
// in mode sizes; `crop` has those of input 3, which tf_crop_and_resize alone reads. InvalidArgument, with the
// operation's constraint, for axes, scales and crops that it does not allow.
absl::StatusOr<std::vector<InterpolatedAxis>> InterpolatedAxes(const InterpolateAttributes& attributes,
                                                               const Shape& data, const Shape& output,
                                                               absl::Span<const int64_t> axes,
                                                               absl::Span<const double> scales,
                                                               absl::Span<const double> crop = {});

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_INTERPOLATE_H_
