// Result (opset1): an output of the model.
//
// Input 0 is any tensor; the output is the same tensor, shared and not copied.
#include "absl/status/status.h"
#include "ir/op_def.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"

namespace burin::ir {
namespace {

absl::Status InferResult(InferContext& context) {
  context.output(0) = context.input(0);
  return absl::OkStatus();
}

absl::Status ReferenceResult(ReferenceContext& context) {
  context.SetOutput(0, context.input(0));
  return absl::OkStatus();
}

Cost CostOfResult(const CostContext&) { return Cost{}; }

}  // namespace

const OpDef& ResultOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kResult, "Result", "opset1");
    d.infer = &InferResult;
    d.reference = &ReferenceResult;
    d.cost = &CostOfResult;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
