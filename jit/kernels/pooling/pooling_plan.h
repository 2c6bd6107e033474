// Decides how a pooling is computed: by which code, and in which pieces of work.
//
// Use it through PoolingKernel (jit/kernels/pooling/pooling.h), or to ask what a pooling would cost. A pure function of
// the spec and the target; plain values.
#ifndef BURIN_JIT_KERNELS_POOLING_POOLING_PLAN_H_
#define BURIN_JIT_KERNELS_POOLING_POOLING_PLAN_H_

#include <cstdint>

#include "jit/isa/target.h"
#include "jit/kernels/epilogue_emitter.h"
#include "jit/kernels/pooling/pooling_code.h"
#include "jit/kernels/pooling/pooling_spec.h"

namespace burin::jit {

// Holds the decisions. A row is all windows along the innermost axis.
struct PoolingPlan {
  PoolingCodeSpec code;
  // What a work item has at most: rows, windows of each, channels of each. Of the last two, only one is less than all,
  // and then there is one row.
  int64_t rows_per_item = 1;
  int64_t windows_per_item = 1;
  int64_t channels_per_item = 1;

  // Returns the plan of a valid spec. `epilogue` tells what the epilogue needs, where there is one.
  static PoolingPlan Make(const PoolingSpec& spec, const Target& target, const EpilogueRegisters* epilogue);

  // Returns the number of work items; 0 where there is nothing to compute.
  int64_t WorkItems(const PoolingSpec& spec) const;
};

// Estimates the cycles that one core takes for a valid spec: what memory or the instructions need, whichever is more.
double EstimatePoolingCycles(const PoolingSpec& spec, const Target& target);

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_POOLING_POOLING_PLAN_H_
