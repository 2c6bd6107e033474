// ReduceMean: the arithmetic mean of the elements along some axes. Integers round towards
// zero. Of no elements it is NaN, or 0 for integers.
//
// Inputs:  0 data, numeric; 1 axes, integers in [-rank, rank), a scalar or a list.
// Output:  the data's shape without the axes, or with size 1 for each (keep_dims).
// Constraints ReduceMean_c1 and ReduceMean_c2: see InferReduction in ir/ops/family/reduction.h.
#include <cstdint>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "base/element_type.h"
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
  return sum / static_cast<double>(values.size());
}

int64_t ReduceInts(absl::Span<const int64_t> values, ElementType type) {
  uint64_t sum = 0;
  for (int64_t value : values) sum += static_cast<uint64_t>(value);
  if (values.empty()) return 0;
  const uint64_t count = values.size();
  if (type == ElementType::kU64) return static_cast<int64_t>(sum / count);
  return static_cast<int64_t>(sum) / static_cast<int64_t>(count);
}

absl::Status Infer(InferContext& context) { return InferReduction(context, "ReduceMean", ReductionTypes::kNumeric); }

absl::Status Reference(ReferenceContext& context) { return ReferenceReduction(context, &ReduceDoubles, &ReduceInts); }

}  // namespace

const OpDef& ReduceMeanOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kReduceMean, "ReduceMean", "opset1");
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
