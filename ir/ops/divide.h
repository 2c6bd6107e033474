// The attributes of Divide; the operation itself is DivideOp() of ir/ops/ops.h.
//
// A plain struct: copies are independent, concurrent reads are safe.
#ifndef BURIN_IR_OPS_DIVIDE_H_
#define BURIN_IR_OPS_DIVIDE_H_

#include "ir/attributes.h"
#include "ir/ops/family/broadcast_rule.h"

namespace burin::ir {

struct DivideAttributes final : AttributesOf<DivideAttributes> {
  // Integers: whether quotients round down, as in Python, or truncate, as in C and ONNX. Nothing for floats.
  bool m_pythondiv = true;
  BroadcastRule broadcast;

  using AttributesOf::VisitAttributes;
  void VisitAttributes(AttributeVisitor& visitor) override {
    visitor.Visit("m_pythondiv", m_pythondiv);
    broadcast.VisitAttributes(visitor);
  }
};

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_DIVIDE_H_
