// The attributes of ScatterNDUpdate. Value type; thread-compatible.
#ifndef BURIN_IR_OPS_SCATTER_ND_UPDATE_H_
#define BURIN_IR_OPS_SCATTER_ND_UPDATE_H_

#include "ir/attributes.h"
#include "ir/ops/family/scatter.h"

namespace burin::ir {

struct ScatterNDUpdateAttributes final : AttributesOf<ScatterNDUpdateAttributes> {
  using AttributesOf::VisitAttributes;
  ScatterReduction reduction = ScatterReduction::kNone;  // Any but kMean.

  void VisitAttributes(AttributeVisitor& visitor) override { visitor.Visit("reduction", reduction); }
};

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_SCATTER_ND_UPDATE_H_
