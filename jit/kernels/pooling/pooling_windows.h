// Finds which taps of the windows of an axis lie inside of its input.
//
// Use it where a pooling is planned (jit/kernels/pooling/pooling.h). It knows one axis, neither strides in bytes nor
// values. Pure functions and plain values, hence thread-safe.
#ifndef BURIN_JIT_KERNELS_POOLING_POOLING_WINDOWS_H_
#define BURIN_JIT_KERNELS_POOLING_POOLING_WINDOWS_H_

#include <cstdint>
#include <vector>

#include "jit/kernels/pooling/pooling_spec.h"

namespace burin::jit {

// Describes the taps of one window that lie inside of the input: `taps` of them from coordinate `first` on, a dilation
// apart; `first` is 0 where there are none. `counted` are the taps up to the end of the padding.
struct PoolingWindow {
  int64_t first = 0;
  int64_t taps = 0;
  int64_t counted = 0;
};

// Describes those of all windows of an axis.
struct PoolingWindows {
  std::vector<PoolingWindow> windows;
  // All windows from `whole_begin` up to `whole_end` have all of their taps, and no others have.
  int64_t whole_begin = 0;
  int64_t whole_end = 0;

  // Returns those of an axis of a valid spec.
  static PoolingWindows Of(const PoolingAxis& axis);
};

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_POOLING_POOLING_WINDOWS_H_
