// If: evaluates one of two body graphs.
//
// Bodies are closed: the port maps below say which inputs of the node their parameters take. Body 0 is `then`, body 1
// is `else`. Plain data.
#ifndef BURIN_IR_OPS_IF_H_
#define BURIN_IR_OPS_IF_H_

#include <cstdint>
#include <vector>

#include "ir/attributes.h"

namespace burin::ir {

// The attributes of If (opset8).
struct IfAttributes final : AttributesOf<IfAttributes> {
  using AttributesOf::VisitAttributes;

  // For each parameter of the body, in order: the input of the node that it takes (1 or above; 0 is the condition).
  std::vector<int64_t> then_inputs;
  std::vector<int64_t> else_inputs;
  // For each output of the node: the result of the body that gives it. Empty: the results in their order.
  std::vector<int64_t> then_outputs;
  std::vector<int64_t> else_outputs;

  void VisitAttributes(AttributeVisitor& visitor) override {
    visitor.Visit("then_inputs", then_inputs);
    visitor.Visit("else_inputs", else_inputs);
    visitor.Visit("then_outputs", then_outputs);
    visitor.Visit("else_outputs", else_outputs);
  }
};

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_IF_H_
