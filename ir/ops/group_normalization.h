// The attributes of GroupNormalization. For the op itself see ir/ops/ops.h; plain data, thread-compatible.
#ifndef BURIN_IR_OPS_GROUP_NORMALIZATION_H_
#define BURIN_IR_OPS_GROUP_NORMALIZATION_H_

#include <cstdint>

#include "ir/attributes.h"

namespace burin::ir {

struct GroupNormalizationAttributes final : AttributesOf<GroupNormalizationAttributes> {
  int64_t num_groups = 1;  // Divides the number of channels.
  double epsilon = 1e-5;   // Added to the variance; not negative.

  using AttributesOf::VisitAttributes;
  void VisitAttributes(AttributeVisitor& visitor) override {
    visitor.Visit("num_groups", num_groups);
    visitor.Visit("epsilon", epsilon);
  }
};

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_GROUP_NORMALIZATION_H_
