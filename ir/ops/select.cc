// Select: then where cond is true, else `else`.
//
// Input 0: cond, boolean. Inputs 1 and 2: then and else, of one type. The three shapes broadcast under
// `auto_broadcast`: first then and else to one shape, then that and cond. Output 0: the broadcast shape, the type of
// then. With NumPy's rule cond may stretch the output, as in ONNX's Where.
//   Select_c1: cond is boolean.
//   Select_c2: then and else have the same type, any but string.
//   Select_c3: the shapes broadcast.
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "base/element_access.h"
#include "base/element_type.h"
#include "base/status_macros.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/broadcast_rule.h"
#include "ir/ops/family/elementwise.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/reference_context.h"
#include "ir/tensor.h"
#include "ir/tolerance.h"

namespace burin::ir {
namespace {

absl::StatusOr<PartialShape> OutputShape(const InferContext& context, const BroadcastRule& rule) {
  BURIN_ASSIGN_OR_RETURN(const PartialShape branches,
                         BroadcastOperands(rule, context.input_shape(1), context.input_shape(2)));
  return BroadcastOperands(rule, branches, context.input_shape(0));
}

// Says what is known of the output's elements: those of the chosen branch where cond is known, else of both.
void PropagateContent(InferContext& context) {
  const ElementType type = context.input_type(1);
  const PartialShape& cond_shape = context.input_shape(0);
  if (!IsInteger(type) || !cond_shape.is_static() || cond_shape.rank() > 1) return;
  const Tensor* cond = context.constant(0);
  const int64_t cond_count = cond_shape.rank() == 0 ? 1 : cond_shape[0].value();
  PartialValue values;
  const bool known =
      ForEachContent(context, context.output(0).shape, {1, 2}, [&](int64_t i, absl::Span<const Dimension> elements) {
        if (cond == nullptr) {
          values.push_back(Hull(elements[0], elements[1]));
          return;
        }
        const int64_t index = cond_count == 1 ? 0 : i;
        const bool chosen = LoadAsInt64(ElementType::kBoolean, cond->data(), index) != 0;
        values.push_back(chosen ? elements[0] : elements[1]);
      });
  if (known) context.SetContent(0, std::move(values));
}

absl::Status InferSelect(InferContext& context) {
  BURIN_RETURN_IF_ERROR(context.RequireType("Select_c1", 0, ElementType::kBoolean));
  BURIN_RETURN_IF_ERROR(context.SameType("Select_c2", 1, 2).status());
  BURIN_RETURN_IF_ERROR(RequireTypeClass(context, "Select_c2", 1, TypeClass::kAny));
  absl::StatusOr<PartialShape> shape = OutputShape(context, context.attributes<BroadcastAttributes>().broadcast);
  if (!shape.ok()) return absl::InvalidArgumentError(absl::StrCat("Select_c3: ", shape.status().message()));
  context.SetOutput(0, context.input_type(1), *std::move(shape));
  PropagateContent(context);
  return absl::OkStatus();
}

// Bits of integers do not change, whether signed or not, so that T is double or int64_t.
template <class T>
absl::Status SelectElements(ReferenceContext& context) {
  const BroadcastRule& rule = context.attributes<BroadcastAttributes>().broadcast;
  const Operand operands[] = {OperandOf(context, 0, rule), OperandOf(context, 1, rule), OperandOf(context, 2, rule)};
  return ComputeByBlocks(context, operands, DomainOfCppType<T>(),
                         [](absl::Span<const void* const> in, void* out, int64_t count) {
                           const int64_t* cond = static_cast<const int64_t*>(in[0]);
                           const T* then_value = static_cast<const T*>(in[1]);
                           const T* else_value = static_cast<const T*>(in[2]);
                           T* result = static_cast<T*>(out);
                           for (int64_t i = 0; i < count; ++i) result[i] = cond[i] != 0 ? then_value[i] : else_value[i];
                         });
}

absl::Status ReferenceSelect(ReferenceContext& context) {
  return IsFloat(context.output_type(0)) ? SelectElements<double>(context) : SelectElements<int64_t>(context);
}

}  // namespace

const OpDef& SelectOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kSelect, "Select", "opset1");
    d.min_inputs = 3;
    d.max_inputs = 3;
    d.traits = kElementwise;
    d.make_attributes = &MakeAttributes<BroadcastAttributes>;
    d.tolerance = ToleranceClass::kExact;
    d.infer = &InferSelect;
    d.reference = &ReferenceSelect;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
