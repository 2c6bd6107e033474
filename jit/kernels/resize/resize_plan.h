// Decides how a resampling is computed: by which code, and in which pieces of work.
//
// Use it through ResizeKernel (jit/kernels/resize/resize.h), or to ask what a resampling would cost. A pure function of
// the spec and the target; plain values.
#ifndef BURIN_JIT_KERNELS_RESIZE_RESIZE_PLAN_H_
#define BURIN_JIT_KERNELS_RESIZE_RESIZE_PLAN_H_

#include <cstdint>

#include "jit/isa/target.h"
#include "jit/kernels/resize/resize_spec.h"

namespace burin::jit {

// Names the ways: elements are moved, channels that lie side by side are summed up, or rows that do are summed up first
// and resampled then.
enum class ResizeWay : uint8_t { kMove, kSumChannels, kResampleRows };

// Holds the decisions. A row is all elements along the innermost axis, of all channels or (`rows_of_channels`) of one.
struct ResizePlan {
  ResizeWay way = ResizeWay::kMove;
  bool rows_of_channels = false;
  // What a work item has at most; fewer elements than all only with one row.
  int64_t rows_per_item = 1;
  int64_t elements_per_item = 1;

  // Returns the plan of a valid spec. With an epilogue nothing is merely moved.
  static ResizePlan Make(const ResizeSpec& spec, const Target& target, bool has_epilogue);

  // Returns the number of rows, and of work items; 0 where there is nothing to compute.
  int64_t Rows(const ResizeSpec& spec) const;
  int64_t WorkItems(const ResizeSpec& spec) const;
};

// Estimates the cycles that one core takes for a valid spec: what memory or the instructions need, whichever is more.
double EstimateResizeCycles(const ResizeSpec& spec, const Target& target);

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_RESIZE_RESIZE_PLAN_H_
