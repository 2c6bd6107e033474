// The attributes of GridSample. For the op itself see ir/ops/ops.h; plain data, thread-compatible.
#ifndef BURIN_IR_OPS_GRID_SAMPLE_H_
#define BURIN_IR_OPS_GRID_SAMPLE_H_

#include <cstdint>

#include "base/enum_names.h"
#include "ir/attributes.h"

namespace burin {
namespace ir {

// How a sample between elements is made; the names are those of images, the modes serve any number of axes.
enum class GridSampleMode : uint8_t {
  kBilinear,  // Of the two neighbours along each axis.
  kBicubic,   // Of four neighbours along each axis, by Keys' cubic convolution with a = -3/4.
  kNearest,   // The nearest element; halves go to the even index.
};

// What lies outside the data.
enum class GridSamplePadding : uint8_t {
  kZeros,
  kBorder,      // The nearest element of the data.
  kReflection,  // The data mirrored, as often as needed: about its outermost elements with align_corners, else about
                // their outer edges.
};

}  // namespace ir

template <>
struct EnumNames<ir::GridSampleMode> {
  static constexpr EnumEntry<ir::GridSampleMode> kEntries[] = {{ir::GridSampleMode::kBilinear, "bilinear"},
                                                               {ir::GridSampleMode::kBicubic, "bicubic"},
                                                               {ir::GridSampleMode::kNearest, "nearest"}};
};

template <>
struct EnumNames<ir::GridSamplePadding> {
  static constexpr EnumEntry<ir::GridSamplePadding> kEntries[] = {{ir::GridSamplePadding::kZeros, "zeros"},
                                                                  {ir::GridSamplePadding::kBorder, "border"},
                                                                  {ir::GridSamplePadding::kReflection, "reflection"}};
};

namespace ir {

struct GridSampleAttributes final : AttributesOf<GridSampleAttributes> {
  using AttributesOf::VisitAttributes;
  // Whether -1 and 1 are the middles of the outermost elements, instead of their outer edges.
  bool align_corners = false;
  GridSampleMode mode = GridSampleMode::kBilinear;
  GridSamplePadding padding_mode = GridSamplePadding::kZeros;

  void VisitAttributes(AttributeVisitor& visitor) override {
    visitor.Visit("align_corners", align_corners);
    visitor.Visit("mode", mode);
    visitor.Visit("padding_mode", padding_mode);
  }
};

}  // namespace ir
}  // namespace burin

#endif  // BURIN_IR_OPS_GRID_SAMPLE_H_
