// The attributes of ROIAlign. For the op itself see ir/ops/ops.h; plain data, thread-compatible.
#ifndef BURIN_IR_OPS_ROI_ALIGN_H_
#define BURIN_IR_OPS_ROI_ALIGN_H_

#include <cstdint>

#include "base/enum_names.h"
#include "ir/attributes.h"

namespace burin {
namespace ir {

// What a bin of a region gives.
enum class ROIAlignMode : uint8_t {
  kAvg,            // The mean of the samples.
  kMax,            // The largest of all weighted elements that samples are made of.
  kMaxOfElements,  // The largest of the elements in a bin of whole elements: the older pooling of regions, OpenVINO's
                   // ROIPooling and ONNX's MaxRoiPool.
};

// Maps a coordinate of a region to a position in the data; formulas at the op.
enum class ROIAlignedMode : uint8_t { kAsymmetric, kHalfPixelForNn, kHalfPixel };

}  // namespace ir

template <>
struct EnumNames<ir::ROIAlignMode> {
  static constexpr EnumEntry<ir::ROIAlignMode> kEntries[] = {{ir::ROIAlignMode::kAvg, "avg"},
                                                             {ir::ROIAlignMode::kMax, "max"},
                                                             {ir::ROIAlignMode::kMaxOfElements, "max_of_elements"}};
};

template <>
struct EnumNames<ir::ROIAlignedMode> {
  static constexpr EnumEntry<ir::ROIAlignedMode> kEntries[] = {
      {ir::ROIAlignedMode::kAsymmetric, "asymmetric"},
      {ir::ROIAlignedMode::kHalfPixelForNn, "half_pixel_for_nn"},
      {ir::ROIAlignedMode::kHalfPixel, "half_pixel"}};
};

namespace ir {

struct ROIAlignAttributes final : AttributesOf<ROIAlignAttributes> {
  using AttributesOf::VisitAttributes;
  int64_t pooled_h = 1;  // The bins of each region, from top to bottom and from left to right.
  int64_t pooled_w = 1;
  int64_t sampling_ratio = 0;  // The samples of a bin along each axis; 0: one for each element that it begins.
  double spatial_scale = 1;    // The size of the data divided by that of the image whose coordinates regions have.
  ROIAlignMode mode = ROIAlignMode::kAvg;
  ROIAlignedMode aligned_mode = ROIAlignedMode::kAsymmetric;

  void VisitAttributes(AttributeVisitor& visitor) override {
    visitor.Visit("pooled_h", pooled_h);
    visitor.Visit("pooled_w", pooled_w);
    visitor.Visit("sampling_ratio", sampling_ratio);
    visitor.Visit("spatial_scale", spatial_scale);
    visitor.Visit("mode", mode);
    visitor.Visit("aligned_mode", aligned_mode);
  }
};

}  // namespace ir
}  // namespace burin

#endif  // BURIN_IR_OPS_ROI_ALIGN_H_
