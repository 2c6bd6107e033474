// ReadValue (opset6): the value of the variable `variable_id`, as the last Assign left it before this run began.
//
// Where the variable has no value (first run, or after a reset) the output is input 0, the initial value, or, without
// one, zeros of `variable_type` and `variable_shape` with dynamic dimensions at their least size. The output has the
// variable's type and shape.
//   ReadValue_c1: the variable's id is not empty.
//   ReadValue_c2: the type is known from the attributes or the initial value, and both agree.
//   ReadValue_c3: the variable's shape covers the shape of the initial value.
//   ReadValue_c4: the variable's shape has at most kMaxRank dimensions, none of which may be negative.
//   ReadValue_c5: the value that the store holds has the variable's type and a shape that its shape accepts.
#include "ir/ops/read_value.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "ir/op_def.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/shape.h"
#include "ir/tensor.h"

namespace burin::ir {
namespace {

absl::Status CheckVariableShape(const PartialShape& shape) {
  if (!shape.has_rank()) return absl::OkStatus();
  if (shape.rank() > kMaxRank) {
    return absl::InvalidArgumentError(
        absl::StrCat("ReadValue_c4: The rank exceeds the maximum of ", kMaxRank, ": ", shape.rank()));
  }
  for (const Dimension& dim : shape.dims()) {
    if (dim.min() < 0 || dim.max() < dim.min()) {
      return absl::InvalidArgumentError(absl::StrCat("ReadValue_c4: A dimension is negative: ", shape.ToString()));
    }
  }
  return absl::OkStatus();
}

absl::Status InferReadValue(InferContext& context) {
  const auto& attributes = context.attributes<ReadValueAttributes>();
  if (attributes.variable_id.empty()) {
    return absl::InvalidArgumentError("ReadValue_c1: The variable's id is empty");
  }
  BURIN_RETURN_IF_ERROR(CheckVariableShape(attributes.variable_shape));
  ElementType type = attributes.variable_type;
  if (context.has_input(0)) {
    if (type == ElementType::kUndefined) type = context.input_type(0);
    if (type != context.input_type(0)) {
      return absl::InvalidArgumentError(absl::StrCat("ReadValue_c2: The initial value has another type than variable ",
                                                     attributes.variable_id, ": ", Name(context.input_type(0)),
                                                     " instead of ", Name(type)));
    }
    if (!attributes.variable_shape.MayEqual(context.input_shape(0))) {
      return absl::InvalidArgumentError(absl::StrCat("ReadValue_c3: The initial value's shape does not fit variable ",
                                                     attributes.variable_id, ": ", context.input_shape(0).ToString(),
                                                     " instead of ", attributes.variable_shape.ToString()));
    }
  }
  if (type == ElementType::kUndefined) {
    return absl::InvalidArgumentError(
        absl::StrCat("ReadValue_c2: Neither the attributes nor an initial value give the type of variable ",
                     attributes.variable_id));
  }
  if (KindOf(type) == ElementKind::kString) {
    return absl::UnimplementedError("ReadValue_c2: Tensors of strings are not supported");
  }
  context.SetOutput(0, type, attributes.variable_shape);
  return absl::OkStatus();
}

absl::Status ReferenceReadValue(ReferenceContext& context) {
  const auto& attributes = context.attributes<ReadValueAttributes>();
  const VariableStore* variables = context.environment().variables;
  if (variables == nullptr) return absl::FailedPreconditionError("ReadValue needs a store of variables");
  if (const Tensor* value = variables->Find(attributes.variable_id)) {
    if (value->element_type() != context.output_type(0) || !attributes.variable_shape.Accepts(value->shape())) {
      return absl::InvalidArgumentError(
          absl::StrCat("ReadValue_c5: The value does not fit variable ", attributes.variable_id, ": ",
                       Name(value->element_type()), ToString(value->shape()), " instead of ",
                       Name(context.output_type(0)), attributes.variable_shape.ToString()));
    }
    context.SetOutput(0, *value);
    return absl::OkStatus();
  }
  if (context.has_input(0)) {
    context.SetOutput(0, context.input(0));
    return absl::OkStatus();
  }
  if (!attributes.variable_shape.has_rank()) {
    return absl::InvalidArgumentError(
        absl::StrCat("ReadValue_c3: A variable of dynamic rank needs an initial value: ", attributes.variable_id));
  }
  Shape shape;
  for (const Dimension& dim : attributes.variable_shape.dims()) shape.push_back(dim.min());
  BURIN_ASSIGN_OR_RETURN(Tensor zeros, Tensor::CreateZeroed(context.output_type(0), shape));
  context.SetOutput(0, std::move(zeros));
  return absl::OkStatus();
}

Cost CostOfReadValue(const CostContext& context) { return Cost{0, context.OutputBytes(), context.OutputBytes()}; }

}  // namespace

const OpDef& ReadValueOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kReadValue, "ReadValue", "opset6");
    d.min_inputs = 0;
    d.max_inputs = 1;
    d.traits = kImpure;
    d.make_attributes = &MakeAttributes<ReadValueAttributes>;
    d.infer = &InferReadValue;
    d.reference = &ReferenceReadValue;
    d.cost = &CostOfReadValue;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
