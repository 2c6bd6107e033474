// IsInf: whether x is -infinity (`detect_negative`) or infinity (`detect_positive`).
//
// Input 0: any shape. Output 0: the input's shape, boolean.
//   IsInf_c1: the type of input 0 is a floating-point type.
#include "ir/ops/is_inf.h"

#include <cmath>

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

absl::Status InferIsInf(InferContext& context) { return InferPredicate(context, "IsInf", TypeClass::kFloat); }

absl::Status ReferenceIsInf(ReferenceContext& context) {
  const IsInfAttributes& attributes = context.attributes<IsInfAttributes>();
  return ReferencePredicate(context, [&attributes](double x) {
    return std::isinf(x) && (x < 0 ? attributes.detect_negative : attributes.detect_positive);
  });
}

}  // namespace

const OpDef& IsInfOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kIsInf, "IsInf", "opset10");
    d.traits = kElementwise;
    d.make_attributes = &MakeAttributes<IsInfAttributes>;
    d.tolerance = ToleranceClass::kExact;
    d.infer = &InferIsInf;
    d.reference = &ReferenceIsInf;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
