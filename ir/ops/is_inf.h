// The attributes of IsInf; the operation itself is IsInfOp() of ir/ops/ops.h.
//
// A plain struct: copies are independent, concurrent reads are safe.
#ifndef BURIN_IR_OPS_IS_INF_H_
#define BURIN_IR_OPS_IS_INF_H_

#include "ir/attributes.h"

namespace burin::ir {

struct IsInfAttributes final : AttributesOf<IsInfAttributes> {
  // Which infinities count.
  bool detect_negative = true;
  bool detect_positive = true;

  using AttributesOf::VisitAttributes;
  void VisitAttributes(AttributeVisitor& visitor) override {
    visitor.Visit("detect_negative", detect_negative);
    visitor.Visit("detect_positive", detect_positive);
  }
};

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_IS_INF_H_
