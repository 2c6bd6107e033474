// LogicalNot: not x.
//
// Input 0: any shape. Output 0: the input's shape, the input's type.
//   LogicalNot_c1: the type of input 0 is boolean.
#include "absl/status/status.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/elementwise.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/reference_context.h"
#include "ir/tolerance.h"

namespace burin::ir {
namespace {

absl::Status InferLogicalNot(InferContext& context) { return InferUnary(context, "LogicalNot", TypeClass::kBoolean); }

absl::Status ReferenceLogicalNot(ReferenceContext& context) {
  return ReferenceUnary(context, [](auto x) { return static_cast<decltype(x)>(x == 0); });
}

}  // namespace

const OpDef& LogicalNotOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kLogicalNot, "LogicalNot", "opset1");
    d.traits = kElementwise;
    d.infer = &InferLogicalNot;
    d.reference = &ReferenceLogicalNot;
    d.tolerance = ToleranceClass::kExact;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
