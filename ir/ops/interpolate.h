// The attributes of Interpolate. For the op itself see ir/ops/ops.h; plain data, thread-compatible.
#ifndef BURIN_IR_OPS_INTERPOLATE_H_
#define BURIN_IR_OPS_INTERPOLATE_H_

#include <cstdint>
#include <vector>

#include "base/enum_names.h"
#include "ir/attributes.h"
#include "ir/ops/family/interpolation_taps.h"

namespace burin::ir {

// Says what input 1 holds.
enum class ShapeCalculationMode : uint8_t { kSizes, kScales };

}  // namespace burin::ir

namespace burin {

template <>
struct EnumNames<ir::ShapeCalculationMode> {
  static constexpr EnumEntry<ir::ShapeCalculationMode> kEntries[] = {
      {ir::ShapeCalculationMode::kSizes, "sizes"},
      {ir::ShapeCalculationMode::kScales, "scales"},
  };
};

}  // namespace burin

namespace burin::ir {

struct InterpolateAttributes final : AttributesOf<InterpolateAttributes>, ResamplingParameters {
  ShapeCalculationMode shape_calculation_mode = ShapeCalculationMode::kSizes;
  // Zeros added around the input before interpolating, one number per axis; missing ones are 0.
  std::vector<int64_t> pads_begin;
  std::vector<int64_t> pads_end;

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
  }
};

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_INTERPOLATE_H_
