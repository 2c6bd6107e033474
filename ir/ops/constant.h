// Constant: a tensor that is part of the model.
//
// Holds a handle on the bytes, which may lie in a mapped file; copying the attributes never copies them. Plain data.
#ifndef BURIN_IR_OPS_CONSTANT_H_
#define BURIN_IR_OPS_CONSTANT_H_

#include "ir/attributes.h"
#include "ir/tensor.h"

namespace burin::ir {

// The attributes of Constant (opset1). An empty `value` is refused by inference.
struct ConstantAttributes final : AttributesOf<ConstantAttributes> {
  using AttributesOf::VisitAttributes;

  Tensor value;

  void VisitAttributes(AttributeVisitor& visitor) override { visitor.Visit("value", value); }
};

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_CONSTANT_H_
