#include "jit/kernels/pooling/pooling_windows.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "jit/kernels/pooling/pooling_spec.h"

namespace burin::jit {
namespace {

// Counts tap by tap.
PoolingWindow Counted(const PoolingAxis& axis, int64_t o) {
  PoolingWindow window;
  for (int64_t k = 0; k < axis.kernel; ++k) {
    const int64_t at = o * axis.stride - axis.pad_begin + k * axis.dilation;
    if (at >= -axis.pad_begin && at < axis.input + axis.pad_end) ++window.counted;
    if (at < 0 || at >= axis.input) continue;
    if (window.taps == 0) window.first = at;
    ++window.taps;
  }
  return window;
}

TEST(PoolingWindowsTest, CountsTheTapsInsideOfTheInput) {
  for (int64_t input = 0; input < 7; ++input) {
    for (int64_t kernel = 1; kernel < 5; ++kernel) {
      for (int64_t stride = 1; stride < 4; ++stride) {
        for (int64_t dilation = 1; dilation < 4; ++dilation) {
          for (int64_t pad_begin = -2; pad_begin < 5; ++pad_begin) {
            PoolingAxis axis;
            axis.input = input;
            axis.output = 6;
            axis.kernel = kernel;
            axis.stride = stride;
            axis.dilation = dilation;
            axis.pad_begin = pad_begin;
            axis.pad_end = pad_begin / 2 + 1;
            const PoolingWindows windows = PoolingWindows::Of(axis);
            ASSERT_EQ(windows.windows.size(), 6u);
            for (int64_t o = 0; o < axis.output; ++o) {
              const PoolingWindow& window = windows.windows[static_cast<size_t>(o)];
              const PoolingWindow expected = Counted(axis, o);
              ASSERT_EQ(window.first, expected.first) << o;
              ASSERT_EQ(window.taps, expected.taps) << o;
              ASSERT_EQ(window.counted, expected.counted) << o;
              ASSERT_EQ(window.taps == kernel, o >= windows.whole_begin && o < windows.whole_end) << o;
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace burin::jit
