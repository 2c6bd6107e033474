// Decides how a depthwise convolution is computed on a machine.
//
// Use it through jit/kernels/depthwise/depthwise_kernel.h, and to compare its cost with that of other ways. Pure
// functions of spec and target, hence thread-safe.
#ifndef BURIN_JIT_KERNELS_DEPTHWISE_DEPTHWISE_PLAN_H_
#define BURIN_JIT_KERNELS_DEPTHWISE_DEPTHWISE_PLAN_H_

#include <cstdint>

#include "jit/isa/target.h"
#include "jit/kernels/depthwise/depthwise_spec.h"
#include "jit/kernels/epilogue_emitter.h"

namespace burin::jit {

// Holds the decisions. A strip is some neighbouring outputs of a row, by some vectors of channels.
struct DepthwisePlan {
  // Elements of a vector.
  int lanes = 8;
  // The outputs of a strip; rows are cut evenly into strips of no more.
  int pixels = 1;
  // The vectors of channels that a strip has at a time, as long as there are so many.
  int vectors = 1;
  // Whether the code has each row of the window by itself; else it loops over them.
  bool unrolls_rows = true;
  // The vectors of channels of a work item. With fewer than there are, items go along the rows of the output first,
  // so that the rows which a window spans stay in the level 1 cache.
  int64_t block_vectors = 1;
  // Whether kernels fetch the rows that the next row of the output sees: where they come from beyond the level 2
  // cache, in pieces that no processor sees the pattern of.
  bool fetches = false;
};

// Returns the plan; `epilogue` is what the epilogue takes. Of specs that pass their Check().
DepthwisePlan PlanDepthwise(const DepthwiseSpec& spec, const Target& target, const EpilogueRegisters& epilogue);

// Returns about how many cycles of one core it takes: the longer of its arithmetic and its traffic with the caches.
double DepthwiseCycles(const DepthwiseSpec& spec, const Target& target);

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_DEPTHWISE_DEPTHWISE_PLAN_H_
