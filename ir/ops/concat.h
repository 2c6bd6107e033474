// The attributes of Concat. Value type; thread-compatible.
#ifndef BURIN_IR_OPS_CONCAT_H_
#define BURIN_IR_OPS_CONCAT_H_

#include <cstdint>

#include "ir/attributes.h"

namespace burin::ir {

struct ConcatAttributes final : AttributesOf<ConcatAttributes> {
  using AttributesOf::VisitAttributes;
  int64_t axis = 0;  // The dimension along which the inputs are joined; negative counts from the end.

  void VisitAttributes(AttributeVisitor& visitor) override { visitor.Visit("axis", axis); }
};

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_CONCAT_H_
