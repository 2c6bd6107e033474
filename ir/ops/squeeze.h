// The attributes of Squeeze. Value type; thread-compatible.
#ifndef BURIN_IR_OPS_SQUEEZE_H_
#define BURIN_IR_OPS_SQUEEZE_H_

#include "ir/attributes.h"

namespace burin::ir {

struct SqueezeAttributes final : AttributesOf<SqueezeAttributes> {
  using AttributesOf::VisitAttributes;
  // Whether a named dimension that is not 1 stays, instead of being an error.
  bool allow_axis_skip = false;

  void VisitAttributes(AttributeVisitor& visitor) override { visitor.Visit("allow_axis_skip", allow_axis_skip); }
};

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_SQUEEZE_H_
