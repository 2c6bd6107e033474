// CumProd: running products along one axis.
//
//   output[..., i, ...] = product of data[..., j, ...] over j <= i    (exclusive: j < i; reverse: j >= i, or j > i)
//
// Inputs: data; optional axis (one integer, default 0). Output: of data's shape and type; the product of no elements is
// 1, integers wrap. Follows ONNX's CumProd-26.
// Constraints:
//   CumProd_c1: data is numeric.
//   CumProd_c2: the axis is one integer in [-rank, rank).
#include "absl/status/status.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/cumulative.h"
#include "ir/ops/family/wrapping_arithmetic.h"
#include "ir/ops/op_code.h"
#include "ir/ops/ops.h"
#include "ir/reference_context.h"
#include "ir/tolerance.h"

namespace burin::ir {
namespace {

absl::Status InferCumProd(InferContext& context) { return InferCumulative(context, "CumProd_c1", "CumProd_c2"); }

absl::Status ReferenceCumProd(ReferenceContext& context) {
  return ReferenceCumulative(context, 1, [](auto a, auto b) { return WrapMultiply(a, b); });
}

}  // namespace

const OpDef& CumProdOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kCumProd, "CumProd", "internal");
    d.min_inputs = 1;
    d.max_inputs = 2;
    d.make_attributes = &MakeAttributes<CumulativeAttributes>;
    d.infer = &InferCumProd;
    d.reference = &ReferenceCumProd;
    d.tolerance = ToleranceClass::kAccumulated;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
