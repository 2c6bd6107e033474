// The attributes of Eye. Value type; thread-compatible.
#ifndef BURIN_IR_OPS_EYE_H_
#define BURIN_IR_OPS_EYE_H_

#include "base/element_type.h"
#include "ir/attributes.h"

namespace burin::ir {

struct EyeAttributes final : AttributesOf<EyeAttributes> {
  using AttributesOf::VisitAttributes;
  ElementType output_type = ElementType::kF32;  // Any numeric type.

  void VisitAttributes(AttributeVisitor& visitor) override { visitor.Visit("output_type", output_type); }
};

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_EYE_H_
