// The attributes of DFT. Value type; thread-compatible.
#ifndef BURIN_IR_OPS_DFT_H_
#define BURIN_IR_OPS_DFT_H_

#include "ir/attributes.h"

namespace burin::ir {

struct DFTAttributes final : AttributesOf<DFTAttributes> {
  using AttributesOf::VisitAttributes;
  bool inverse = false;   // exp(+...) / length instead of exp(-...).
  bool onesided = false;  // Only length / 2 + 1 frequencies are outputs or, of the inverse, inputs.

  void VisitAttributes(AttributeVisitor& visitor) override {
    visitor.Visit("inverse", inverse);
    visitor.Visit("onesided", onesided);
  }
};

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_DFT_H_
