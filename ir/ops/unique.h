// The attributes of Unique. Value type; thread-compatible.
#ifndef BURIN_IR_OPS_UNIQUE_H_
#define BURIN_IR_OPS_UNIQUE_H_

#include "base/element_type.h"
#include "ir/attributes.h"

namespace burin::ir {

struct UniqueAttributes final : AttributesOf<UniqueAttributes> {
  using AttributesOf::VisitAttributes;
  bool sorted =
      true;  // Whether the distinct elements come in ascending order, instead of that of their first occurrence.
  ElementType index_element_type = ElementType::kI64;  // kI64 or kI32.
  ElementType count_element_type = ElementType::kI64;  // kI64 or kI32.

  void VisitAttributes(AttributeVisitor& visitor) override {
    visitor.Visit("sorted", sorted);
    visitor.Visit("index_element_type", index_element_type);
    visitor.Visit("count_element_type", count_element_type);
  }
};

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_UNIQUE_H_
