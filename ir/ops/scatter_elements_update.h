// The attributes of ScatterElementsUpdate. Value type; thread-compatible.
#ifndef BURIN_IR_OPS_SCATTER_ELEMENTS_UPDATE_H_
#define BURIN_IR_OPS_SCATTER_ELEMENTS_UPDATE_H_

#include "ir/attributes.h"
#include "ir/ops/family/scatter.h"

namespace burin::ir {

struct ScatterElementsUpdateAttributes final : AttributesOf<ScatterElementsUpdateAttributes> {
  using AttributesOf::VisitAttributes;
  ScatterReduction reduction = ScatterReduction::kNone;  // Any but kSub.
  // Whether data's own elements take part in a reduction; without effect for kNone.
  bool use_init_val = true;

  void VisitAttributes(AttributeVisitor& visitor) override {
    visitor.Visit("reduction", reduction);
    visitor.Visit("use_init_val", use_init_val);
  }
};

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_SCATTER_ELEMENTS_UPDATE_H_
