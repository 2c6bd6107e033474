// The attributes of GatherElements. Value type; thread-compatible.
#ifndef BURIN_IR_OPS_GATHER_ELEMENTS_H_
#define BURIN_IR_OPS_GATHER_ELEMENTS_H_

#include <cstdint>

#include "ir/attributes.h"

namespace burin::ir {

struct GatherElementsAttributes final : AttributesOf<GatherElementsAttributes> {
  using AttributesOf::VisitAttributes;
  int64_t axis = 0;  // The dimension that the indices replace; negative counts from the end.

  void VisitAttributes(AttributeVisitor& visitor) override { visitor.Visit("axis", axis); }
};

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_GATHER_ELEMENTS_H_
