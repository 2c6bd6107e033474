// Decides how a depthwise convolution is computed on a machine.
//
// Use it through jit/kernels/depthwise/depthwise_kernel.h, and to compare its cost with that of other ways. Pure
// functions of spec and target, hence thread-safe.
#ifndef BURIN_JIT_KERNELS_DEPTHWISE_DEPTHWISE_PLAN_H_
#define BURIN_JIT_KERNELS_DEPTHWISE_DEPTHWISE_PLAN_H_

#include <cstdint>
#include <optional>

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
  // How many rows of the output ahead kernels fetch what is seen there: where it comes from beyond the level 2 cache,
  // in pieces that no processor sees the pattern of. 0 where nothing is fetched.
  int64_t fetched_ahead = 0;
};

// Is how large a strip is, and how many vectors of channels a work item has; 0 for as many as are chosen.
struct DepthwiseTile {
  int pixels = 1;
  int vectors = 1;
  int64_t block_vectors = 0;
};

// Returns the plan; `epilogue` is what the epilogue takes. Of specs that pass their Check(). `tile`, if any, is taken
// in place of the best one: to measure how good that is.
DepthwisePlan PlanDepthwise(const DepthwiseSpec& spec, const Target& target, const EpilogueRegisters& epilogue,
                            const std::optional<DepthwiseTile>& tile = std::nullopt);

// Returns about how many cycles of one core it takes: the longer of its arithmetic and its traffic with the caches.
double DepthwiseCycles(const DepthwiseSpec& spec, const Target& target);

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_DEPTHWISE_DEPTHWISE_PLAN_H_
