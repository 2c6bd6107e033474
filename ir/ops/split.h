// The attributes of Split. Value type; thread-compatible.
#ifndef BURIN_IR_OPS_SPLIT_H_
#define BURIN_IR_OPS_SPLIT_H_

#include <cstdint>

#include "ir/attributes.h"

namespace burin::ir {

struct SplitAttributes final : AttributesOf<SplitAttributes> {
  using AttributesOf::VisitAttributes;
  int64_t num_splits = 1;  // The number of equal parts, which is the number of outputs.

  void VisitAttributes(AttributeVisitor& visitor) override { visitor.Visit("num_splits", num_splits); }
};

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_SPLIT_H_
