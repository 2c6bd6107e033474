// ReadValue: the value of a variable, as the last run left it.
//
// Plain data.
#ifndef BURIN_IR_OPS_READ_VALUE_H_
#define BURIN_IR_OPS_READ_VALUE_H_

#include <string>

#include "base/element_type.h"
#include "ir/attributes.h"
#include "ir/partial_shape.h"

namespace burin::ir {

// The attributes of ReadValue (opset6). An undefined `variable_type` takes the type of the initial value.
struct ReadValueAttributes final : AttributesOf<ReadValueAttributes> {
  using AttributesOf::VisitAttributes;

  std::string variable_id;
  ElementType variable_type = ElementType::kUndefined;
  PartialShape variable_shape = PartialShape::DynamicRank();

  void VisitAttributes(AttributeVisitor& visitor) override {
    visitor.Visit("variable_id", variable_id);
    visitor.Visit("variable_type", variable_type);
    visitor.Visit("variable_shape", variable_shape);
  }
};

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_READ_VALUE_H_
