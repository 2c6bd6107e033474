// The attributes of ConvolutionBackpropData. For the op itself see ir/ops/ops.h; plain data, thread-compatible.
#ifndef BURIN_IR_OPS_CONVOLUTION_BACKPROP_DATA_H_
#define BURIN_IR_OPS_CONVOLUTION_BACKPROP_DATA_H_

#include <cstdint>
#include <vector>

#include "ir/attributes.h"
#include "ir/ops/family/window.h"

namespace burin::ir {

struct ConvolutionBackpropDataAttributes final : AttributesOf<ConvolutionBackpropDataAttributes>, WindowParameters {
  // Elements added at the end of each spatial axis of the output; empty: none.
  std::vector<int64_t> output_padding;

  using AttributesOf::VisitAttributes;
  void VisitAttributes(AttributeVisitor& visitor) override {
    VisitWindow(visitor);
    visitor.Visit("output_padding", output_padding);
  }
};

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_CONVOLUTION_BACKPROP_DATA_H_
