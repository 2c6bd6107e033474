// Divide: a / b. Integers round down where `m_pythondiv` is set, else towards zero; x / 0 = 0, and the most negative
// number divided by -1 wraps to itself.
//
// Inputs 0 and 1: one type, shapes that broadcast under `auto_broadcast`. Output 0: the broadcast shape, the same type.
//   Divide_c1: the inputs have the same type; it is a numeric type.
//   Divide_c2: the shapes broadcast.
#include "ir/ops/divide.h"

#include "absl/status/status.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/elementwise.h"
#include "ir/ops/family/wrapping_arithmetic.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/reference_context.h"
#include "ir/tolerance.h"

namespace burin::ir {
namespace {

Dimension TruncateContent(const Dimension& a, const Dimension& b) {
  if (a.MustEqual(b) && a.min() > 0) return Dimension(1);
  return a / b;
}

Dimension FloorContent(const Dimension& a, const Dimension& b) {
  if (a.is_static() && b.is_static()) return Dimension(FloorDivide(a.value(), b.value()));
  if (a.min() >= 0 && b.min() > 0) return TruncateContent(a, b);
  return b.is_static() && b.value() > 0 ? FloorDiv(a, b.value()) : Dimension::AnyValue();
}

absl::Status InferDivide(InferContext& context) {
  const DivideAttributes& attributes = context.attributes<DivideAttributes>();
  return InferBinary(context, "Divide", attributes.broadcast, TypeClass::kNumeric,
                     attributes.m_pythondiv ? &FloorContent : &TruncateContent);
}

absl::Status ReferenceDivide(ReferenceContext& context) {
  const DivideAttributes& attributes = context.attributes<DivideAttributes>();
  if (attributes.m_pythondiv) {
    return ReferenceBinary(context, attributes.broadcast, [](auto a, auto b) { return FloorDivide(a, b); });
  }
  return ReferenceBinary(context, attributes.broadcast, [](auto a, auto b) { return TruncateDivide(a, b); });
}

}  // namespace

const OpDef& DivideOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kDivide, "Divide", "opset1");
    d.min_inputs = 2;
    d.max_inputs = 2;
    d.traits = kElementwise;
    d.make_attributes = &MakeAttributes<DivideAttributes>;
    d.tolerance = ToleranceClass::kRounded;
    d.infer = &InferDivide;
    d.reference = &ReferenceDivide;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
