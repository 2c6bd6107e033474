// The attributes of GatherND. Value type; thread-compatible.
#ifndef BURIN_IR_OPS_GATHER_ND_H_
#define BURIN_IR_OPS_GATHER_ND_H_

#include <cstdint>

#include "ir/attributes.h"

namespace burin::ir {

struct GatherNDAttributes final : AttributesOf<GatherNDAttributes> {
  using AttributesOf::VisitAttributes;
  int64_t batch_dims = 0;  // The number of leading dimensions that data and indices share.

  void VisitAttributes(AttributeVisitor& visitor) override { visitor.Visit("batch_dims", batch_dims); }
};

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_GATHER_ND_H_
