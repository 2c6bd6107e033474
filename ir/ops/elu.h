// The attributes of Elu; the operation itself is EluOp() of ir/ops/ops.h.
//
// A plain struct: copies are independent, concurrent reads are safe.
#ifndef BURIN_IR_OPS_ELU_H_
#define BURIN_IR_OPS_ELU_H_

#include "ir/attributes.h"

namespace burin::ir {

struct EluAttributes final : AttributesOf<EluAttributes> {
  double alpha = 1;  // The negative of the limit towards -infinity.

  using AttributesOf::VisitAttributes;
  void VisitAttributes(AttributeVisitor& visitor) override { visitor.Visit("alpha", alpha); }
};

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_ELU_H_
