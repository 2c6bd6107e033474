// Generates the kernels of depthwise convolutions: a strip of neighbouring outputs, for any number of channels.
//
// Use it inside DepthwiseKernel (jit/kernels/depthwise/depthwise_kernel.h). Accumulators stay in registers over the
// whole window; the weights of a row of the window do too where there is room, so that each input is loaded once for
// all outputs of the strip that see it. A pure function; the kernels may run on any number of threads at once.
#ifndef BURIN_JIT_KERNELS_DEPTHWISE_DEPTHWISE_STRIP_H_
#define BURIN_JIT_KERNELS_DEPTHWISE_DEPTHWISE_STRIP_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/hash.h"
#include "jit/asm/arg_field.h"
#include "jit/asm/code_blob.h"
#include "jit/isa/isa.h"
#include "jit/kernels/epilogue_emitter.h"

namespace burin::jit {

// Describes a kernel. Distances are in bytes.
struct DepthwiseStripSpec {
  // Outputs of the strip, 1 to 31, side by side in a row.
  int pixels = 1;
  // Vectors that are done at a time while there are so many; 1 where it expands.
  int vectors = 1;
  // Channels of the last vector; 0 where there is none that is not whole.
  int tail = 0;
  // Whether several channels of the output see one of the input: inputs are permuted by DepthwiseExpansion.
  bool expands = false;
  // Of the window.
  int64_t kernel_depth = 1;
  int64_t kernel_height = 1;
  int64_t kernel_width = 1;
  // Of the window's width.
  int64_t stride = 1;
  int64_t dilation = 1;
  // Of each tap of a row, as bits: the outputs at which it lies inside the input.
  std::vector<uint32_t> inside;
  // Whether all rows of the window that lie inside the input are in the code: `rows` in each of `planes` planes, of
  // the input at these distances. Else their numbers are arguments, as the distances are.
  bool unrolled = true;
  int64_t planes = 1;
  int64_t rows = 1;
  int64_t plane_step = 0;
  int64_t row_step = 0;
  // From pixel to pixel.
  int64_t input_step = 0;
  int64_t output_step = 0;
  // Of how many of the window's last rows the kernel fetches, into the level 2 cache, what lies `fetch_step` behind
  // them: the rows that the next row of the output sees first. Of rows that are not unrolled it is all or none.
  int64_t fetched_rows = 0;
  int64_t fetch_step = 0;

  // Returns a name such as "depthwise_14x1_of_3x3".
  std::string Name() const;

  // Returns whether every distance in the code has 31 bits.
  bool Fits() const;

  // Returns a fingerprint of what the kernel does, `epilogue`, which may be null, included.
  Hash128 ContentKey(const EpilogueEmitter* epilogue) const;
};

// Says which inputs a vector of the output sees, where a channel of the input is seen by several. `indices` follow: of
// each element of the vector, the number of its input among those.
struct DepthwiseExpansion {
  // Of the first input, from the pixel's first channel, in bytes.
  int64_t offset;
  // How many neighbouring inputs there are; at most as many as a vector has elements.
  int64_t count;
};

// Is what the kernels take.
struct DepthwiseStripArgs {
  // Of the window's first row that lies inside, at the pixel of tap 0 of the strip's first output, which need not
  // exist; of the first channel.
  const void* input;
  // Of that row, of the first vector: [vector][plane][row][tap][element].
  const void* weights;
  // Of the strip's first output and first channel. Not read where there is an epilogue.
  void* output;
  // Whole vectors, and whether the tail follows them: 0 or 1.
  int64_t vectors;
  int64_t tail;
  // A DepthwiseExpansion and its indices (i32) for each vector, the tail's included.
  const void* expansions;
  // The strip's first output as a row of the epilogue's matrix, and its first channel as a column.
  const EpiloguePlace* places;
  int64_t row;
  int64_t column;
  // Where rows are not unrolled: of the window inside the input, and the distances in the input.
  int64_t planes;
  int64_t rows;
  int64_t plane_step;
  int64_t row_step;
};
BURIN_ARG_OFFSET(DepthwiseStripArgs, input, 0);
BURIN_ARG_OFFSET(DepthwiseStripArgs, weights, 8);
BURIN_ARG_OFFSET(DepthwiseStripArgs, output, 16);
BURIN_ARG_OFFSET(DepthwiseStripArgs, vectors, 24);
BURIN_ARG_OFFSET(DepthwiseStripArgs, tail, 32);
BURIN_ARG_OFFSET(DepthwiseStripArgs, expansions, 40);
BURIN_ARG_OFFSET(DepthwiseStripArgs, places, 48);
BURIN_ARG_OFFSET(DepthwiseStripArgs, row, 56);
BURIN_ARG_OFFSET(DepthwiseStripArgs, column, 64);
BURIN_ARG_OFFSET(DepthwiseStripArgs, planes, 72);
BURIN_ARG_OFFSET(DepthwiseStripArgs, rows, 80);
BURIN_ARG_OFFSET(DepthwiseStripArgs, plane_step, 88);
BURIN_ARG_OFFSET(DepthwiseStripArgs, row_step, 96);

// Generates the kernel for machines with `isa`; `epilogue` may be null. Internal for a spec that does not Fit(); else
// fails as Assembler does.
absl::StatusOr<CodeBlob> GenerateDepthwiseStrip(const DepthwiseStripSpec& spec, const IsaSet& isa,
                                                const EpilogueEmitter* epilogue);

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_DEPTHWISE_DEPTHWISE_STRIP_H_
