// The attributes of MatMul. For the op itself see ir/ops/ops.h; plain data, thread-compatible.
#ifndef BURIN_IR_OPS_MATMUL_H_
#define BURIN_IR_OPS_MATMUL_H_

#include "ir/attributes.h"

namespace burin::ir {

struct MatMulAttributes final : AttributesOf<MatMulAttributes> {
  // Swap the two innermost axes of an input before multiplying; without effect on inputs of rank 1.
  bool transpose_a = false;
  bool transpose_b = false;

  using AttributesOf::VisitAttributes;
  void VisitAttributes(AttributeVisitor& visitor) override {
    visitor.Visit("transpose_a", transpose_a);
    visitor.Visit("transpose_b", transpose_b);
  }
};

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_MATMUL_H_
