// Generates the kernels that turn the 6 x 6 sums m of a tile into 4 x 4 outputs, A^T m A, and store them, for any
// number of channels, which lie side by side.
//
// Use it inside WinogradKernel (jit/kernels/winograd/winograd_kernel.h). An epilogue, if any, is emitted for each row
// of the tile's outputs while they are in registers: its rows are pixels, its columns channels. A pure function; the
// kernels may run on any number of threads at once.
//
//        | 1  1  1  1  1  0 |
//  A^T = | 0  1 -1  2 -2  0 |    Lavin and Gray, Fast Algorithms for Convolutional Neural Networks, 2015
//        | 0  1  1  4  4  0 |
//        | 0  1 -1  8 -8  1 |
#ifndef BURIN_JIT_KERNELS_WINOGRAD_OUTPUT_TRANSFORM_H_
#define BURIN_JIT_KERNELS_WINOGRAD_OUTPUT_TRANSFORM_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "base/hash.h"
#include "jit/asm/arg_field.h"
#include "jit/asm/code_blob.h"
#include "jit/isa/isa.h"
#include "jit/kernels/epilogue_emitter.h"

namespace burin::jit {

// Describes a kernel. Distances are in bytes.
struct OutputTransformSpec {
  // Of the tile's outputs, those that there are: 1 to 4 of each.
  int rows = 4;
  int columns = 4;
  // Channels of the last vector; 0 where there is none that is not whole. Its sums have room for a whole one.
  int tail = 0;
  // From one of the 36 sums to the next.
  int64_t plane_step = 0;
  // From row to row and from pixel to pixel of the output: without an epilogue.
  int64_t row_step = 0;
  int64_t pixel_step = 0;
  // Pixels from row to row of the output, for an epilogue.
  int64_t row_pixels = 0;

  // Returns a name such as "winograd_output_4x4".
  std::string Name() const;

  // Returns whether every distance in the code has 31 bits.
  bool Fits() const;

  // Returns a fingerprint of what the kernel does, `epilogue`, which may be null, included.
  Hash128 ContentKey(const EpilogueEmitter* epilogue) const;
};

// Is what the kernels take.
struct OutputTransformArgs {
  // Of the first channel, in the first of the 36 sums.
  const void* sums;
  // Of the tile's first pixel and first channel. Not read where there is an epilogue.
  void* output;
  // Whole vectors; the tail, if any, follows them.
  int64_t vectors;
  // The tile's first pixel as a row of the epilogue's matrix, and its first channel as a column.
  const EpiloguePlace* places;
  int64_t row;
  int64_t column;
};
BURIN_ARG_OFFSET(OutputTransformArgs, sums, 0);
BURIN_ARG_OFFSET(OutputTransformArgs, output, 8);
BURIN_ARG_OFFSET(OutputTransformArgs, vectors, 16);
BURIN_ARG_OFFSET(OutputTransformArgs, places, 24);
BURIN_ARG_OFFSET(OutputTransformArgs, row, 32);
BURIN_ARG_OFFSET(OutputTransformArgs, column, 40);

// Generates the kernel for machines with `isa`; `epilogue` may be null. Internal for a spec that does not Fit(); else
// fails as Assembler does.
absl::StatusOr<CodeBlob> GenerateOutputTransform(const OutputTransformSpec& spec, const IsaSet& isa,
                                                 const EpilogueEmitter* epilogue);

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_WINOGRAD_OUTPUT_TRANSFORM_H_
