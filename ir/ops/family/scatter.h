// Updates elements of a copy of data: what ScatterUpdate, ScatterElementsUpdate and ScatterNDUpdate share.
//
// Plain data and stateless functions; thread-safe.
#ifndef BURIN_IR_OPS_FAMILY_SCATTER_H_
#define BURIN_IR_OPS_FAMILY_SCATTER_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "base/enum_names.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/reference_context.h"
#include "ir/tensor.h"

namespace burin {
namespace ir {

// How an update changes the element that it meets.
enum class ScatterReduction : uint8_t {
  kNone,  // Replaces it; of several updates of one element the last, in row-major order, remains.
  kSum,   // Adds to it. Booleans: or.
  kSub,   // Subtracts from it. Booleans: exclusive or.
  kProd,  // Multiplies it. Booleans: and.
  kMin,   // Keeps the smaller; NaN if either is NaN.
  kMax,   // Keeps the larger; NaN if either is NaN.
  kMean,  // Averages all that meet; integers round down. Not for booleans.
};

// The reductions that an operation allows.
constexpr bool IsElementsReduction(ScatterReduction reduction) { return reduction != ScatterReduction::kSub; }
constexpr bool IsNDReduction(ScatterReduction reduction) { return reduction != ScatterReduction::kMean; }

// Applies element i of `updates` to element targets[i] of a copy of input 0, for i = 0, 1, ..., and stores output 0.
// Without `use_initial`, data's own elements take no part where an update arrives (kNone never uses them).
absl::Status ApplyUpdates(ReferenceContext& context, ScatterReduction reduction, bool use_initial,
                          const Tensor& updates, const std::vector<int64_t>& targets);

// Returns the cost: one flop per update where it is combined, all inputs read and the output written.
Cost ScatterCost(const CostContext& context, int64_t updates_input, ScatterReduction reduction);

}  // namespace ir

template <>
struct EnumNames<ir::ScatterReduction> {
  static constexpr EnumEntry<ir::ScatterReduction> kEntries[] = {
      {ir::ScatterReduction::kNone, "none"}, {ir::ScatterReduction::kSum, "sum"}, {ir::ScatterReduction::kSub, "sub"},
      {ir::ScatterReduction::kProd, "prod"}, {ir::ScatterReduction::kMin, "min"}, {ir::ScatterReduction::kMax, "max"},
      {ir::ScatterReduction::kMean, "mean"}};
};

}  // namespace burin

#endif  // BURIN_IR_OPS_FAMILY_SCATTER_H_
