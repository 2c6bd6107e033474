// Finds the taps of a product kernel that can be a loop.
//
// Use it in the kernel's generator. A pure function, hence thread-safe.
#ifndef BURIN_JIT_KERNELS_BRGEMM_TAP_RUNS_H_
#define BURIN_JIT_KERNELS_BRGEMM_TAP_RUNS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "jit/kernels/brgemm/brgemm_spec.h"

namespace burin::jit {

// Is `count` taps that follow each other: each lies these bytes behind the one before, with equal rows and steps.
struct TapRun {
  BrgemmTap first;
  int count = 1;
  int64_t a_distance = 0;
  int64_t b_distance = 0;
};

// Returns the taps in their order, as runs: as long as there are some of at least `least` taps, else of one tap each.
std::vector<TapRun> FindTapRuns(absl::Span<const BrgemmTap> taps, int least);

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_BRGEMM_TAP_RUNS_H_
