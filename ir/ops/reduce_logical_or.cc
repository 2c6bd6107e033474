// ReduceLogicalOr: whether any element along some axes is true; false where there are none.
//
// Inputs:  0 data, boolean; 1 axes, integers in [-rank, rank), a scalar or a list.
// Output:  the data's shape without the axes, or with size 1 for each (keep_dims).
// Constraints ReduceLogicalOr_c1 and ReduceLogicalOr_c2: see InferReduction in ir/ops/family/reduction.h.
#include <algorithm>
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

int64_t ReduceInts(absl::Span<const int64_t> values, ElementType) {
  return std::any_of(values.begin(), values.end(), [](int64_t value) { return value != 0; }) ? 1 : 0;
}

absl::Status Infer(InferContext& context) {
  return InferReduction(context, "ReduceLogicalOr", ReductionTypes::kBoolean);
}

absl::Status Reference(ReferenceContext& context) { return ReferenceReduction(context, nullptr, &ReduceInts); }

}  // namespace

const OpDef& ReduceLogicalOrOp() {
  static const OpDef op = [] {
    OpDef d(OpCode::kReduceLogicalOr, "ReduceLogicalOr", "opset1");
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
