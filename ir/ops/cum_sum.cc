// CumSum: running sums along one axis.
//
//   output[..., i, ...] = sum of data[..., j, ...] over j <= i    (exclusive: j < i; reverse: j >= i, or j > i)
//
// Inputs: data; optional axis (one integer, default 0). Output: of data's shape and type; integers wrap.
// Constraints:
//   CumSum_c1: data is numeric.
//   CumSum_c2: the axis is one integer in [-rank, rank).
#include "ir/ops/cum_sum.h"

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

absl::Status InferCumSum(InferContext& context) { return InferCumulative(context, "CumSum_c1", "CumSum_c2"); }

absl::Status ReferenceCumSum(ReferenceContext& context) {
  return ReferenceCumulative(context, 0, [](auto a, auto b) { return WrapAdd(a, b); });
}

}  // namespace

const OpDef& CumSumOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kCumSum, "CumSum", "opset3");
    d.min_inputs = 1;
    d.max_inputs = 2;
    d.make_attributes = &MakeAttributes<CumSumAttributes>;
    d.infer = &InferCumSum;
    d.reference = &ReferenceCumSum;
    d.tolerance = ToleranceClass::kAccumulated;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
