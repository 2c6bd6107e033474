// The attributes of Clamp; the operation itself is ClampOp() of ir/ops/ops.h.
//
// A plain struct: copies are independent, concurrent reads are safe.
#ifndef BURIN_IR_OPS_CLAMP_H_
#define BURIN_IR_OPS_CLAMP_H_

#include <limits>

#include "ir/attributes.h"

namespace burin::ir {

struct ClampAttributes final : AttributesOf<ClampAttributes> {
  // The bounds of the output. Integers take `min` rounded up and `max` rounded down.
  double min = std::numeric_limits<double>::lowest();
  double max = std::numeric_limits<double>::max();

  using AttributesOf::VisitAttributes;
  void VisitAttributes(AttributeVisitor& visitor) override {
    visitor.Visit("min", min);
    visitor.Visit("max", max);
  }
};

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_CLAMP_H_
