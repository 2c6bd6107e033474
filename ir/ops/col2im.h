// The attributes of Col2Im. Value type; thread-compatible.
#ifndef BURIN_IR_OPS_COL2IM_H_
#define BURIN_IR_OPS_COL2IM_H_

#include "ir/attributes.h"
#include "ir/ops/family/window.h"

namespace burin::ir {

struct Col2ImAttributes final : AttributesOf<Col2ImAttributes> {
  using AttributesOf::VisitAttributes;
  // How blocks lie in the image; auto_pad is no attribute of the operation and stays explicit.
  WindowParameters window;

  void VisitAttributes(AttributeVisitor& visitor) override {
    visitor.Visit("strides", window.strides);
    visitor.Visit("dilations", window.dilations);
    visitor.Visit("pads_begin", window.pads_begin);
    visitor.Visit("pads_end", window.pads_end);
  }
};

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_COL2IM_H_
