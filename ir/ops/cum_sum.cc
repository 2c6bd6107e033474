// CumSum: running sums along one axis.
//
//   output[..., i, ...] = sum of data[..., j, ...] over j <= i    (exclusive: j < i; reverse: j >= i, or j > i)
//
// Inputs: data; optional axis (one integer, default 0). Output: of data's shape and type; integers wrap.
// Constraints:
//   CumSum_c1: data is numeric.
//   CumSum_c2: the axis is one integer in [-rank, rank).
#include "ir/ops/cum_sum.h"

#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/index_space.h"
#include "ir/ops/family/integer_input.h"
#include "ir/ops/family/wrapping_arithmetic.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/reference_context.h"

namespace burin::ir {
namespace {

absl::Status InferCumSum(InferContext& context) {
  const ElementType type = context.input_type(0);
  if (!IsFloat(type) && !IsInteger(type)) {
    return ConstraintError("CumSum_c1", absl::StrCat("data must be numeric; got ", Name(type)));
  }
  std::optional<int64_t> axis = 0;
  if (context.has_input(1)) {
    BURIN_ASSIGN_OR_RETURN(axis, ExactIntegerScalar("CumSum_c2", context, 1));
  }
  const PartialShape& data = context.input_shape(0);
  if (axis.has_value() && data.has_rank()) {
    BURIN_RETURN_IF_ERROR(WrapAxis("CumSum_c2", *axis, data.rank()).status());
  }
  context.SetOutput(0, type, data);
  return absl::OkStatus();
}

// Replaces `values` by their running sums.
template <class T>
absl::Status SumAlong(const ReferenceContext& context, const AxisSplit& split, std::vector<T>& values) {
  const CumSumAttributes& attributes = context.attributes<CumSumAttributes>();
  for (int64_t outer = 0; outer < split.outer; ++outer) {
    BURIN_RETURN_IF_ERROR(context.CheckCancelled());
    for (int64_t inner = 0; inner < split.inner; ++inner) {
      T sum = 0;
      for (int64_t step = 0; step < split.length; ++step) {
        const int64_t i = attributes.reverse ? split.length - 1 - step : step;
        T& value = values[static_cast<size_t>((outer * split.length + i) * split.inner + inner)];
        const T next = WrapAdd(sum, value);
        value = attributes.exclusive ? sum : next;
        sum = next;
      }
    }
  }
  return absl::OkStatus();
}

absl::Status ReferenceCumSum(ReferenceContext& context) {
  const Tensor& data = context.input(0);
  if (data.element_count() == 0) return absl::OkStatus();
  const int64_t named = context.has_input(1) ? context.InputAsInts(1).front() : 0;
  BURIN_ASSIGN_OR_RETURN(const int64_t axis, WrapAxis("CumSum_c2", named, static_cast<int64_t>(data.shape().size())));
  const AxisSplit split = SplitAtAxis(data.shape(), axis);
  if (IsFloat(data.element_type())) {
    std::vector<double> values = context.InputAsDoubles(0);
    BURIN_RETURN_IF_ERROR(SumAlong(context, split, values));
    context.StoreDoubles(0, values);
  } else {
    std::vector<int64_t> values = context.InputAsInts(0);
    BURIN_RETURN_IF_ERROR(SumAlong(context, split, values));
    context.StoreInts(0, values);
  }
  return absl::OkStatus();
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
