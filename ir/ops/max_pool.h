// The attributes of MaxPool. For the op itself see ir/ops/ops.h; plain data, thread-compatible.
#ifndef BURIN_IR_OPS_MAX_POOL_H_
#define BURIN_IR_OPS_MAX_POOL_H_

#include <cstdint>
#include <vector>

#include "base/element_type.h"
#include "ir/attributes.h"
#include "ir/ops/family/window.h"

namespace burin::ir {

struct MaxPoolAttributes final : AttributesOf<MaxPoolAttributes>, WindowParameters {
  std::vector<int64_t> kernel;  // One size per spatial axis.
  RoundingType rounding_type = RoundingType::kFloor;
  ElementType index_element_type = ElementType::kI64;  // i64 or i32.
  // The first axis of those whose flattened index the second output holds; may count from the end.
  int64_t axis = 0;

  using AttributesOf::VisitAttributes;
  void VisitAttributes(AttributeVisitor& visitor) override {
    VisitWindow(visitor);
    visitor.Visit("kernel", kernel);
    visitor.Visit("rounding_type", rounding_type);
    visitor.Visit("index_element_type", index_element_type);
    visitor.Visit("axis", axis);
  }
};

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_MAX_POOL_H_
