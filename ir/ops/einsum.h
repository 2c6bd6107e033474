// The attributes of Einsum. For the op itself see ir/ops/ops.h; plain data, thread-compatible.
#ifndef BURIN_IR_OPS_EINSUM_H_
#define BURIN_IR_OPS_EINSUM_H_

#include <string>

#include "ir/attributes.h"

namespace burin::ir {

struct EinsumAttributes final : AttributesOf<EinsumAttributes> {
  std::string equation;  // "ij,jk->ik"; without an arrow, labels that occur once, sorted, are the output's.

  using AttributesOf::VisitAttributes;
  void VisitAttributes(AttributeVisitor& visitor) override { visitor.Visit("equation", equation); }
};

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_EINSUM_H_
