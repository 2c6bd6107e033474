// The attributes of DeformableConvolution. For the op itself see ir/ops/ops.h; plain data, thread-compatible.
#ifndef BURIN_IR_OPS_DEFORMABLE_CONVOLUTION_H_
#define BURIN_IR_OPS_DEFORMABLE_CONVOLUTION_H_

#include <cstdint>

#include "ir/attributes.h"
#include "ir/ops/family/window.h"

namespace burin::ir {

struct DeformableConvolutionAttributes final : AttributesOf<DeformableConvolutionAttributes>, WindowParameters {
  int64_t group = 1;  // Into so many parts are the channels of data and output split.
  int64_t deformable_group =
      1;  // Into so many parts, each with offsets of its own, are the channels of the data split.
  // Whether a sample less than one element outside the data is made of the data and zeros, instead of the data's edge.
  bool bilinear_interpolation_pad = false;

  using AttributesOf::VisitAttributes;
  void VisitAttributes(AttributeVisitor& visitor) override {
    VisitWindow(visitor);
    visitor.Visit("group", group);
    visitor.Visit("deformable_group", deformable_group);
    visitor.Visit("bilinear_interpolation_pad", bilinear_interpolation_pad);
  }
};

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_DEFORMABLE_CONVOLUTION_H_
