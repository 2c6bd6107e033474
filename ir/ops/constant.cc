// Constant (opset1): a tensor that is part of the model.
//
// No inputs; the output is the attribute `value`, which a run hands out without copying.
//   Constant_c1: there is a value.
//   Constant_c2: the value is dense.
#include "ir/ops/constant.h"

#include "absl/status/status.h"
#include "ir/op_def.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"

namespace burin::ir {
namespace {

absl::Status InferConstant(InferContext& context) {
  const Tensor& value = context.attributes<ConstantAttributes>().value;
  if (!value.has_value()) return absl::InvalidArgumentError("Constant_c1: There is no value");
  if (!value.is_dense()) return absl::InvalidArgumentError("Constant_c2: The value is not dense");
  context.SetOutput(0, value.element_type(), PartialShape(value.shape()));
  context.SetConstant(0, value);
  return absl::OkStatus();
}

absl::Status ReferenceConstant(ReferenceContext& context) {
  context.SetOutput(0, context.attributes<ConstantAttributes>().value);
  return absl::OkStatus();
}

Cost CostOfConstant(const CostContext&) { return Cost{}; }

}  // namespace

const OpDef& ConstantOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kConstant, "Constant", "opset1");
    d.min_inputs = 0;
    d.max_inputs = 0;
    d.make_attributes = &MakeAttributes<ConstantAttributes>;
    d.infer = &InferConstant;
    d.reference = &ReferenceConstant;
    d.cost = &CostOfConstant;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
