// Generates the kernels that transform a tile of 6 x 6 input pixels d for Winograd's convolution: B^T d B, for any
// number of channels, which lie side by side in d and in each of the 36 results.
//
// Use it inside WinogradKernel (jit/kernels/winograd/winograd_kernel.h). Pixels outside of the input are zeros and are
// not read: which ones those are is in the code. All values stay in registers between the loads and the stores: the
// six rows of B^T d are made two or four at a time, of columns that are read again. A pure function; the kernels may
// run on any number of threads at once.
//
//        | 4  0 -5  0  1  0 |
//        | 0 -4 -4  1  1  0 |
//  B^T = | 0  4 -4 -1  1  0 |    Lavin and Gray, Fast Algorithms for Convolutional Neural Networks, 2015
//        | 0 -2 -1  2  1  0 |
//        | 0  2 -1 -2  1  0 |
//        | 0  4  0 -5  0  1 |
#ifndef BURIN_JIT_KERNELS_WINOGRAD_INPUT_TRANSFORM_H_
#define BURIN_JIT_KERNELS_WINOGRAD_INPUT_TRANSFORM_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "base/hash.h"
#include "jit/asm/arg_field.h"
#include "jit/asm/code_blob.h"
#include "jit/isa/isa.h"
#include "jit/kernels/convolution/window.h"

namespace burin::jit {

// Describes a kernel. Distances are in bytes.
struct InputTransformSpec {
  // Those of the input; in the results zeros follow up to a whole vector.
  int64_t channels = 1;
  // The rows and columns of the tile that lie inside the input.
  TapRange rows = {0, 6};
  TapRange columns = {0, 6};
  // From row to row and from pixel to pixel of the input, and from one of the 36 results to the next.
  int64_t row_step = 0;
  int64_t pixel_step = 0;
  int64_t plane_step = 0;
  // Whether the pixels that the tile behind it in the row sees are fetched.
  bool fetches = false;

  // Returns a name such as "winograd_input_c64".
  std::string Name() const;

  // Returns whether every distance in the code has 31 bits.
  bool Fits() const;

  // Returns a fingerprint of all fields.
  Hash128 ContentKey() const;
};

// Is what the kernels take.
struct InputTransformArgs {
  // Of the tile's first pixel, which need not exist, and of the first of the 36 results.
  const void* input;
  void* output;
};
BURIN_ARG_OFFSET(InputTransformArgs, input, 0);
BURIN_ARG_OFFSET(InputTransformArgs, output, 8);

// Generates the kernel for machines with `isa`. Internal for a spec that does not Fit(); else fails as Assembler does.
absl::StatusOr<CodeBlob> GenerateInputTransform(const InputTransformSpec& spec, const IsaSet& isa);

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_WINOGRAD_INPUT_TRANSFORM_H_
