// The attributes of AvgPool. For the op itself see ir/ops/ops.h; plain data, thread-compatible.
#ifndef BURIN_IR_OPS_AVG_POOL_H_
#define BURIN_IR_OPS_AVG_POOL_H_

#include <cstdint>
#include <vector>

#include "ir/attributes.h"
#include "ir/ops/family/window.h"

namespace burin::ir {

struct AvgPoolAttributes final : AttributesOf<AvgPoolAttributes>, WindowParameters {
  std::vector<int64_t> kernel;  // One size per spatial axis.
  bool exclude_pad = false;     // Whether padding is left out of the divisor.
  RoundingType rounding_type = RoundingType::kFloor;

  using AttributesOf::VisitAttributes;
  void VisitAttributes(AttributeVisitor& visitor) override {
    VisitWindow(visitor);
    visitor.Visit("kernel", kernel);
    visitor.Visit("exclude_pad", exclude_pad);
    visitor.Visit("rounding_type", rounding_type);
  }
};

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_AVG_POOL_H_
