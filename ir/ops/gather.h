// The attributes of Gather. Value type; thread-compatible.
#ifndef BURIN_IR_OPS_GATHER_H_
#define BURIN_IR_OPS_GATHER_H_

#include <cstdint>

#include "ir/attributes.h"

namespace burin::ir {

struct GatherAttributes final : AttributesOf<GatherAttributes> {
  using AttributesOf::VisitAttributes;
  // The number of leading dimensions that data and indices share; negative counts from the end of the indices' shape.
  int64_t batch_dims = 0;

  void VisitAttributes(AttributeVisitor& visitor) override { visitor.Visit("batch_dims", batch_dims); }
};

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_GATHER_H_
