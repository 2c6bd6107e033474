// ReduceSum: the sum of the elements along some axes; 0 where there are none.
//
// Inputs:  0 data, numeric; 1 axes, integers in [-rank, rank), a scalar or a list.
// Output:  the data's shape without the axes, or with size 1 for each (keep_dims).
// Constraints ReduceSum_c1 and ReduceSum_c2: see InferReduction in ir/ops/family/reduction.h.
#include <cstdint>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "base/element_type.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/reduction.h"
#include "ir/ops/ops.h"
#include "ir/reference_context.h"

namespace burin::ir {
namespace {

double ReduceDoubles(absl::Span<const double> values) {
  double sum = 0;
  for (double value : values) sum += value;
  return sum;
}

int64_t ReduceInts(absl::Span<const int64_t> values, ElementType) {
  uint64_t sum = 0;
  for (int64_t value : values) sum += static_cast<uint64_t>(value);
  return static_cast<int64_t>(sum);
}

Dimension Combine(const Dimension& a, const Dimension& b) { return a + b; }

absl::Status Infer(InferContext& context) {
  return InferReduction(context, "ReduceSum", ReductionTypes::kNumeric, &Combine);
}

absl::Status Reference(ReferenceContext& context) { return ReferenceReduction(context, &ReduceDoubles, &ReduceInts); }

}  // namespace

const OpDef& ReduceSumOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kReduceSum, "ReduceSum", "opset1");
    d.min_inputs = 2;
    d.max_inputs = 2;
    d.make_attributes = &MakeAttributes<ReductionAttributes>;
    d.infer = &Infer;
    d.reference = &Reference;
    d.cost = &ReductionCost;
    d.tolerance = ToleranceClass::kAccumulated;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
