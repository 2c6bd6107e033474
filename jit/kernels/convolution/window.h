// Says which elements along one axis of its input an element of a convolution's or a pooling's output sees.
//
// Use it for each spatial axis, in specs and in plans. What the window reads outside of the input is no memory: those
// taps are left out, which is what padding with zeros means for a sum. Pure values and functions, hence thread-safe.
#ifndef BURIN_JIT_KERNELS_CONVOLUTION_WINDOW_H_
#define BURIN_JIT_KERNELS_CONVOLUTION_WINDOW_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "base/hash.h"

namespace burin::jit {

// Describes one axis. Tap k of output o is element `o * stride - pad_before + k * dilation` of the input. The output's
// extent is what the caller says, so that padding behind, and every rule of rounding, is implied by it.
struct WindowAxis {
  int64_t input = 1;
  int64_t output = 1;
  int64_t kernel = 1;
  int64_t stride = 1;
  int64_t dilation = 1;
  // Elements that are missing before the first one; negative where the first ones are never seen.
  int64_t pad_before = 0;

  // Returns the index in the input, which may lie outside of it.
  int64_t At(int64_t output_index, int64_t tap) const { return output_index * stride - pad_before + tap * dilation; }

  // Returns OK, or InvalidArgument naming the field: extents are not negative, kernel, stride and dilation are at least
  // 1, and no field has more than 31 bits, so that no index overflows. `name` is the axis in the error.
  absl::Status Check(absl::string_view name) const;

  // Appends every field to a fingerprint.
  void AppendTo(Hasher& hasher) const;
};

// Is the range of taps from `begin` up to `end`.
struct TapRange {
  int64_t begin = 0;
  int64_t end = 0;

  int64_t count() const { return end - begin; }
  friend bool operator==(const TapRange& a, const TapRange& b) { return a.begin == b.begin && a.end == b.end; }
};

// Returns the taps of an output that lie inside the input: always neighbours. Empty (0 to 0) where there are none.
TapRange TapsInside(const WindowAxis& axis, int64_t output_index);

// Returns, as bits, which of the `count` <= 64 outputs from `first` on have this tap inside the input.
uint64_t OutputsInside(const WindowAxis& axis, int64_t first, int count, int64_t tap);

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_CONVOLUTION_WINDOW_H_
