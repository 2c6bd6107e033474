// Parameter: an input of the model, given by the user at each run.
//
// Says what the user must give. Not for values known at compile time, which are Constants. Plain data.
#ifndef BURIN_IR_OPS_PARAMETER_H_
#define BURIN_IR_OPS_PARAMETER_H_

#include "base/element_type.h"
#include "ir/attributes.h"
#include "ir/partial_shape.h"

namespace burin::ir {

// The attributes of Parameter (opset1).
struct ParameterAttributes final : AttributesOf<ParameterAttributes> {
  using AttributesOf::VisitAttributes;

  ElementType element_type = ElementType::kF32;
  PartialShape shape = PartialShape::DynamicRank();

  void VisitAttributes(AttributeVisitor& visitor) override {
    visitor.Visit("element_type", element_type);
    visitor.Visit("shape", shape);
  }
};

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_PARAMETER_H_
