// The attributes of CumSum. Value type; thread-compatible.
#ifndef BURIN_IR_OPS_CUM_SUM_H_
#define BURIN_IR_OPS_CUM_SUM_H_

#include "ir/attributes.h"

namespace burin::ir {

struct CumSumAttributes final : AttributesOf<CumSumAttributes> {
  using AttributesOf::VisitAttributes;
  bool exclusive = false;  // Whether an element's own value is left out of its sum.
  bool reverse = false;    // Whether the sum runs from the end.

  void VisitAttributes(AttributeVisitor& visitor) override {
    visitor.Visit("exclusive", exclusive);
    visitor.Visit("reverse", reverse);
  }
};

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_CUM_SUM_H_
