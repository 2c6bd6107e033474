// The attributes of Reshape. Value type; thread-compatible.
#ifndef BURIN_IR_OPS_RESHAPE_H_
#define BURIN_IR_OPS_RESHAPE_H_

#include "ir/attributes.h"

namespace burin::ir {

struct ReshapeAttributes final : AttributesOf<ReshapeAttributes> {
  using AttributesOf::VisitAttributes;
  // Whether a 0 in the pattern stands for the data's dimension at the same place, instead of for itself.
  bool special_zero = false;

  void VisitAttributes(AttributeVisitor& visitor) override { visitor.Visit("special_zero", special_zero); }
};

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_RESHAPE_H_
