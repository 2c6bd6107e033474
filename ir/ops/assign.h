// Assign: sets a variable, to be read at the next run.
//
// A sink: it runs although nobody reads its output. Plain data.
#ifndef BURIN_IR_OPS_ASSIGN_H_
#define BURIN_IR_OPS_ASSIGN_H_

#include <string>

#include "ir/attributes.h"

namespace burin::ir {

// The attributes of Assign (opset6).
struct AssignAttributes final : AttributesOf<AssignAttributes> {
  using AttributesOf::VisitAttributes;

  std::string variable_id;

  void VisitAttributes(AttributeVisitor& visitor) override { visitor.Visit("variable_id", variable_id); }
};

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_ASSIGN_H_
