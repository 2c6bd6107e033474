// The attributes of BatchNormInference. For the op itself see ir/ops/ops.h; plain data, thread-compatible.
#ifndef BURIN_IR_OPS_BATCH_NORM_INFERENCE_H_
#define BURIN_IR_OPS_BATCH_NORM_INFERENCE_H_

#include "ir/attributes.h"

namespace burin::ir {

struct BatchNormInferenceAttributes final : AttributesOf<BatchNormInferenceAttributes> {
  double epsilon = 1e-5;  // Added to the variance; not negative.

  using AttributesOf::VisitAttributes;
  void VisitAttributes(AttributeVisitor& visitor) override { visitor.Visit("epsilon", epsilon); }
};

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_BATCH_NORM_INFERENCE_H_
