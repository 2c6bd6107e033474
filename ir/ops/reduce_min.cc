// ReduceMin: the smallest element along some axes. Of no elements it is infinity, or the
// largest number of an integer type. A NaN among the elements gives NaN.
//
// Inputs:  0 data, numeric; 1 axes, integers in [-rank, rank), a scalar or a list.
// Output:  the data's shape without the axes, or with size 1 for each (keep_dims).
// Constraints ReduceMin_c1 and ReduceMin_c2: see InferReduction in ir/ops/family/reduction.h.
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
  double smallest = std::numeric_limits<double>::infinity();
  for (double value : values) {
    if (std::isnan(value)) return value;
    smallest = std::min(smallest, value);
  }
  return smallest;
}

int64_t ReduceInts(absl::Span<const int64_t> values, ElementType type) {
  if (type == ElementType::kU64) {
    uint64_t smallest = std::numeric_limits<uint64_t>::max();
    for (int64_t value : values) smallest = std::min(smallest, static_cast<uint64_t>(value));
    return static_cast<int64_t>(smallest);
  }
  // The largest number of the type: all ones, without the sign bit of a signed one.
  const int bits = BitWidth(type) - (IsUnsignedInteger(type) ? 0 : 1);
  int64_t smallest = static_cast<int64_t>((uint64_t{1} << bits) - 1);
  for (int64_t value : values) smallest = std::min(smallest, value);
  return smallest;
}

Dimension Combine(const Dimension& a, const Dimension& b) { return Min(a, b); }

absl::Status Infer(InferContext& context) {
  return InferReduction(context, "ReduceMin", ReductionTypes::kNumeric, &Combine);
}

absl::Status Reference(ReferenceContext& context) { return ReferenceReduction(context, &ReduceDoubles, &ReduceInts); }

}  // namespace

const OpDef& ReduceMinOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kReduceMin, "ReduceMin", "opset1");
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
