// The attributes of Softmax. For the op itself see ir/ops/ops.h; plain data, thread-compatible.
#ifndef BURIN_IR_OPS_SOFTMAX_H_
#define BURIN_IR_OPS_SOFTMAX_H_

#include <cstdint>

#include "ir/attributes.h"

namespace burin::ir {

struct SoftmaxAttributes final : AttributesOf<SoftmaxAttributes> {
  int64_t axis = 1;  // May count from the end.

  using AttributesOf::VisitAttributes;
  void VisitAttributes(AttributeVisitor& visitor) override { visitor.Visit("axis", axis); }
};

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_SOFTMAX_H_
