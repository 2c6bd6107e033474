// Describes a depthwise convolution: each channel of the output is a sum over a window of one channel of the input.
//
// Use it with jit/kernels/depthwise/depthwise_kernel.h. Not for groups of several channels, which are direct
// convolutions. A value.
#ifndef BURIN_JIT_KERNELS_DEPTHWISE_DEPTHWISE_SPEC_H_
#define BURIN_JIT_KERNELS_DEPTHWISE_DEPTHWISE_SPEC_H_

#include <cstdint>

#include "absl/status/status.h"
#include "base/element_type.h"
#include "jit/kernels/convolution/activation_strides.h"
#include "jit/kernels/convolution/window.h"

namespace burin::jit {

// Holds the description: for each image n, output index (d, h, w), channel c and m < multiplier,
//
//   output[n][d][h][w][c * multiplier + m] = sum over the taps (i, j, k) inside the input of
//       input[n][depth.At(d, i)][height.At(h, j)][width.At(w, k)][c] * weights[c * multiplier + m][i][j][k].
struct DepthwiseSpec {
  ElementType input_type = ElementType::kF32;
  ElementType weights_type = ElementType::kF32;
  ElementType output_type = ElementType::kF32;
  int64_t images = 1;
  // Of the input.
  int64_t channels = 0;
  int64_t multiplier = 1;
  // An axis that there is not is as WindowAxis() has it.
  WindowAxis depth;
  WindowAxis height;
  WindowAxis width;
  ActivationStrides input;
  // Not read where an epilogue stores the results.
  ActivationStrides output;

  // Returns the channels of the output, and the taps of a channel.
  int64_t output_channels() const { return channels * multiplier; }
  int64_t taps() const { return depth.kernel * height.kernel * width.kernel; }

  // Returns the products and sums of all outputs, those with padding included.
  double multiply_adds() const;

  // Returns OK; InvalidArgument naming the field that is out of range; Unimplemented for types other than f32, and for
  // more than kMostTaps taps.
  absl::Status Check() const;

  // The most taps of a channel.
  static constexpr int64_t kMostTaps = 1 << 20;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_DEPTHWISE_DEPTHWISE_SPEC_H_
