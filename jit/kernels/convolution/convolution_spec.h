// Describes a convolution of 1 to 3 spatial axes, in groups or not.
//
// Use it with jit/kernels/convolution/convolution_kernel.h. Not for groups of one channel each, which
// jit/kernels/depthwise computes. A value.
#ifndef BURIN_JIT_KERNELS_CONVOLUTION_CONVOLUTION_SPEC_H_
#define BURIN_JIT_KERNELS_CONVOLUTION_CONVOLUTION_SPEC_H_

#include <cstdint>

#include "absl/status/status.h"
#include "base/element_type.h"
#include "jit/kernels/convolution/activation_strides.h"
#include "jit/kernels/convolution/window.h"

namespace burin::jit {

// Holds the description: for each image n, output index (d, h, w), and channel o of the output, which is in group
// g = o / output_channels_of_group(),
//
//   output[n][d][h][w][o] = sum over the taps (i, j, k) inside the input, and c < input_channels_of_group(), of
//       input[n][depth.At(d, i)][height.At(h, j)][width.At(w, k)][g * input_channels_of_group() + c] *
//       weights[o][i][j][k][c].
struct ConvolutionSpec {
  ElementType input_type = ElementType::kF32;
  ElementType weights_type = ElementType::kF32;
  ElementType output_type = ElementType::kF32;
  int64_t images = 1;
  // Of all groups.
  int64_t input_channels = 0;
  int64_t output_channels = 0;
  int64_t groups = 1;
  // An axis that there is not is as WindowAxis() has it.
  WindowAxis depth;
  WindowAxis height;
  WindowAxis width;
  ActivationStrides input;
  // Where an epilogue stores the results: of the sums, where the kernel keeps them (ConvolutionKernel::keeps_sums()).
  ActivationStrides output;

  int64_t input_channels_of_group() const { return input_channels / groups; }
  int64_t output_channels_of_group() const { return output_channels / groups; }

  // Returns the taps of the window, and the products that an output sums.
  int64_t taps() const { return depth.kernel * height.kernel * width.kernel; }
  int64_t steps() const { return taps() * input_channels_of_group(); }

  // Returns the products and sums of all outputs, those with padding included.
  double multiply_adds() const;

  // Returns OK; InvalidArgument naming the field that is out of range; Unimplemented for types other than f32, and for
  // sums of more than kMostSteps products.
  absl::Status Check() const;

  // Returns the same convolution with fewer, longer axes: those along which every output sees the input at its own
  // place, with no gap between them, become one. Of specs that pass Check().
  ConvolutionSpec Flattened() const;

  // The most products of a sum.
  static constexpr int64_t kMostSteps = 1 << 20;
};

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_CONVOLUTION_CONVOLUTION_SPEC_H_
