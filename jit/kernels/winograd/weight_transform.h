// Generates the kernel that transforms windows g of 3 x 3 weights for Winograd's convolution: G g G^T, of 64 columns at
// a time, computed in double and rounded once.
//
// Use it inside WinogradWeights (jit/kernels/winograd/winograd_weights.h), once for each constant. It reads a panel of
// the plain weights, [channel][3 x 3][64], and writes a row of 64 of each of the 36 panels of results. A pure function;
// the kernels may run on any number of threads at once.
//
//      |  1/4    0     0  |
//      | -1/6  -1/6  -1/6 |
//  G = | -1/6   1/6  -1/6 |    Lavin and Gray, Fast Algorithms for Convolutional Neural Networks, 2015
//      |  1/24  1/12  1/6 |
//      |  1/24 -1/12  1/6 |
//      |  0      0     1  |
#ifndef BURIN_JIT_KERNELS_WINOGRAD_WEIGHT_TRANSFORM_H_
#define BURIN_JIT_KERNELS_WINOGRAD_WEIGHT_TRANSFORM_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "jit/asm/arg_field.h"
#include "jit/asm/code_blob.h"
#include "jit/isa/isa.h"

namespace burin::jit {

// Is what the kernel takes.
struct WeightTransformArgs {
  // Of the first channel.
  const void* weights;
  // Of the first channel, in the first of the 36 results.
  void* output;
  // Channels of the input, at least 1.
  int64_t channels;
};
BURIN_ARG_OFFSET(WeightTransformArgs, weights, 0);
BURIN_ARG_OFFSET(WeightTransformArgs, output, 8);
BURIN_ARG_OFFSET(WeightTransformArgs, channels, 16);

// Generates the kernel for machines with `isa`, for results that lie `plane_step` bytes from each other. Internal where
// 36 of them have more than 31 bits; else fails as Assembler does.
absl::StatusOr<CodeBlob> GenerateWeightTransform(int64_t plane_step, const IsaSet& isa);

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_WINOGRAD_WEIGHT_TRANSFORM_H_
