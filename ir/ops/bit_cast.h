// The attributes of BitCast. Value type; thread-compatible.
#ifndef BURIN_IR_OPS_BIT_CAST_H_
#define BURIN_IR_OPS_BIT_CAST_H_

#include "base/element_type.h"
#include "ir/attributes.h"

namespace burin::ir {

struct BitCastAttributes final : AttributesOf<BitCastAttributes> {
  using AttributesOf::VisitAttributes;
  ElementType destination_type = ElementType::kUndefined;  // Required; as wide as the input's type.

  void VisitAttributes(AttributeVisitor& visitor) override { visitor.Visit("destination_type", destination_type); }
};

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_BIT_CAST_H_
