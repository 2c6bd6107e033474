// Says where the pixels of a tensor lie whose channels are innermost: [image][plane][row][pixel][channel].
//
// Use it in specs of convolutions and poolings. A tensor of fewer spatial axes has extents of 1 in front; its strides
// are not read there. Channels lie side by side. Values and pure functions, hence thread-safe.
#ifndef BURIN_JIT_KERNELS_CONVOLUTION_ACTIVATION_STRIDES_H_
#define BURIN_JIT_KERNELS_CONVOLUTION_ACTIVATION_STRIDES_H_

#include <array>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/hash.h"

namespace burin::jit {

// Holds the distances, in elements.
struct ActivationStrides {
  int64_t image = 0;
  int64_t plane = 0;
  int64_t row = 0;
  int64_t pixel = 0;

  // Returns those of a tensor without gaps. InvalidArgument for negative extents, or more elements than 2^60.
  static absl::StatusOr<ActivationStrides> Dense(int64_t planes, int64_t rows, int64_t pixels, int64_t channels);

  // Returns OK, or InvalidArgument naming the stride: those of extents (image, plane, row, pixel) above 1 are not
  // negative, and no element is 2^60 or more from the first. `name` is the tensor in the error.
  absl::Status Check(const std::array<int64_t, 4>& extents, int64_t channels, absl::string_view name) const;

  // Appends every field to a fingerprint.
  void AppendTo(Hasher& hasher) const;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_CONVOLUTION_ACTIVATION_STRIDES_H_
