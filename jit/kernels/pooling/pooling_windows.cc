#include "jit/kernels/pooling/pooling_windows.h"

#include <algorithm>

namespace burin::jit {
namespace {

// Returns the first tap that lies at `position` or behind it, of a window whose tap 0 lies at `origin`; `kernel` where
// there is none.
int64_t FirstTapFrom(const PoolingAxis& axis, int64_t origin, int64_t position) {
  if (position <= origin) return 0;
  return std::min(axis.kernel, (position - origin - 1) / axis.dilation + 1);
}

PoolingWindow WindowAt(const PoolingAxis& axis, int64_t o) {
  PoolingWindow window;
  const int64_t origin = o * axis.stride - axis.pad_begin;
  const int64_t first = FirstTapFrom(axis, origin, 0);
  window.taps = std::max<int64_t>(0, FirstTapFrom(axis, origin, axis.input) - first);
  if (window.taps > 0) window.first = origin + first * axis.dilation;
  const int64_t counted_first = FirstTapFrom(axis, origin, -axis.pad_begin);
  window.counted = std::max<int64_t>(0, FirstTapFrom(axis, origin, axis.input + axis.pad_end) - counted_first);
  return window;
}

}  // namespace

PoolingWindows PoolingWindows::Of(const PoolingAxis& axis) {
  PoolingWindows result;
  result.windows.reserve(static_cast<size_t>(axis.output));
  for (int64_t o = 0; o < axis.output; ++o) result.windows.push_back(WindowAt(axis, o));
  while (result.whole_begin < axis.output &&
         result.windows[static_cast<size_t>(result.whole_begin)].taps < axis.kernel) {
    ++result.whole_begin;
  }
  result.whole_end = result.whole_begin;
  while (result.whole_end < axis.output && result.windows[static_cast<size_t>(result.whole_end)].taps == axis.kernel) {
    ++result.whole_end;
  }
  return result;
}

}  // namespace burin::jit
