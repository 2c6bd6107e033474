// Assign (opset6): sets the variable `variable_id` to input 0; ReadValue sees it from the next run on.
//
// Input 0 is any tensor; the output is the same tensor.
//   Assign_c1: the variable's id is not empty.
#include "ir/ops/assign.h"

#include <utility>

#include "absl/status/status.h"
#include "base/status_macros.h"
#include "ir/op_def.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/tensor.h"

namespace burin::ir {
namespace {

absl::Status InferAssign(InferContext& context) {
  if (context.attributes<AssignAttributes>().variable_id.empty()) {
    return absl::InvalidArgumentError("Assign_c1: The variable's id is empty");
  }
  context.output(0) = context.input(0);
  return absl::OkStatus();
}

absl::Status ReferenceAssign(ReferenceContext& context) {
  VariableStore* variables = context.environment().variables;
  if (variables == nullptr) return absl::FailedPreconditionError("Assign needs a store of variables");
  // The value outlives the run, whose tensors may be views of the caller's memory.
  BURIN_ASSIGN_OR_RETURN(Tensor value, context.input(0).Copy());
  variables->Assign(context.attributes<AssignAttributes>().variable_id, std::move(value));
  context.SetOutput(0, context.input(0));
  return absl::OkStatus();
}

Cost CostOfAssign(const CostContext& context) { return Cost{0, context.InputBytes(), context.OutputBytes()}; }

}  // namespace

const OpDef& AssignOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kAssign, "Assign", "opset6");
    d.traits = kImpure;
    d.make_attributes = &MakeAttributes<AssignAttributes>;
    d.infer = &InferAssign;
    d.reference = &ReferenceAssign;
    d.cost = &CostOfAssign;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
