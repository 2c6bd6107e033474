// The attributes of ShapeOf. Value type; thread-compatible.
#ifndef BURIN_IR_OPS_SHAPE_OF_H_
#define BURIN_IR_OPS_SHAPE_OF_H_

#include "base/element_type.h"
#include "ir/attributes.h"

namespace burin::ir {

struct ShapeOfAttributes final : AttributesOf<ShapeOfAttributes> {
  using AttributesOf::VisitAttributes;
  ElementType output_type = ElementType::kI64;  // kI64 or kI32.

  void VisitAttributes(AttributeVisitor& visitor) override { visitor.Visit("output_type", output_type); }
};

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_SHAPE_OF_H_
