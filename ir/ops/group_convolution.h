// The attributes of GroupConvolution. For the op itself see ir/ops/ops.h; plain data, thread-compatible.
#ifndef BURIN_IR_OPS_GROUP_CONVOLUTION_H_
#define BURIN_IR_OPS_GROUP_CONVOLUTION_H_

#include "ir/attributes.h"
#include "ir/ops/family/window.h"

namespace burin::ir {

struct GroupConvolutionAttributes final : AttributesOf<GroupConvolutionAttributes>, WindowParameters {
  using AttributesOf::VisitAttributes;
  void VisitAttributes(AttributeVisitor& visitor) override { VisitWindow(visitor); }
};

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_GROUP_CONVOLUTION_H_
