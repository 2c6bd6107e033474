// ReduceMax: the largest element along some axes. Of no elements it is minus infinity, or
// the smallest number of an integer type. A NaN among the elements gives NaN.
//
// Inputs:  0 data, numeric; 1 axes, integers in [-rank, rank), a scalar or a list.
// Output:  the data's shape without the axes, or with size 1 for each (keep_dims).
// Constraints ReduceMax_c1 and ReduceMax_c2: see InferReduction in ir/ops/family/reduction.h.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

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
  double largest = -std::numeric_limits<double>::infinity();
  for (double value : values) {
    if (std::isnan(value)) return value;
    largest = std::max(largest, value);
  }
  return largest;
}

int64_t ReduceInts(absl::Span<const int64_t> values, ElementType type) {
  if (type == ElementType::kU64) {
    uint64_t largest = 0;
    for (int64_t value : values) largest = std::max(largest, static_cast<uint64_t>(value));
    return static_cast<int64_t>(largest);
  }
  int64_t largest = IsUnsignedInteger(type) ? 0 : -(int64_t{1} << (BitWidth(type) - 2)) * 2;
  for (int64_t value : values) largest = std::max(largest, value);
  return largest;
}

Dimension Combine(const Dimension& a, const Dimension& b) { return Max(a, b); }

absl::Status Infer(InferContext& context) {
  return InferReduction(context, "ReduceMax", ReductionTypes::kNumeric, &Combine);
}

absl::Status Reference(ReferenceContext& context) { return ReferenceReduction(context, &ReduceDoubles, &ReduceInts); }

}  // namespace

const OpDef& ReduceMaxOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kReduceMax, "ReduceMax", "opset1");
    d.min_inputs = 2;
    d.max_inputs = 2;
    d.make_attributes = &MakeAttributes<ReductionAttributes>;
    d.infer = &Infer;
    d.reference = &Reference;
    d.cost = &ReductionCost;
    d.tolerance = ToleranceClass::kExact;
    return d;
  }();
  return op;
}

}  // namespace burin::ir
