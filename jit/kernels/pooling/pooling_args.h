// Declares what a pooling's code takes as its argument: some windows side by side along the innermost axis.
//
// Use it where the code is generated and called; other code calls it through a PoolingKernel
// (jit/kernels/pooling/pooling.h). A value; a call reads it only.
#ifndef BURIN_JIT_KERNELS_POOLING_POOLING_ARGS_H_
#define BURIN_JIT_KERNELS_POOLING_POOLING_ARGS_H_

#include <cstdint>

#include "jit/asm/arg_field.h"
#include "jit/kernels/epilogue_emitter.h"

namespace burin::jit {

// Holds the arguments of a call. Addresses are those of the first channel.
struct PoolingArgs {
  // Of the first tap of the first window: of a strip in the padding too, of a single window inside of the input.
  const uint8_t* input;
  uint8_t* output;
  uint8_t* indices;
  const EpiloguePlace* places;
  // What the sum of each window is multiplied by.
  const float* scales;
  // Of the first window among all, and of the first channel.
  int64_t row;
  int64_t column;
  // Whole vectors of channels, and whether the channels behind the last whole vector follow.
  int64_t vectors;
  int64_t tail;
  // Single windows; not read where there are strips.
  int64_t windows;
  // Whether there are strips, whether the first and the last strip of a row, where they are special, are among them,
  // and how many others are.
  int64_t is_strips;
  int64_t has_first;
  int64_t strips;
  int64_t has_last;
  // Bytes from window to window.
  int64_t window_step;
  int64_t output_step;
  int64_t index_step;
  // Taps inside of the input, by axis (of strips, not of axis 2); none of axis 0 where a window is empty. All windows
  // have the same.
  int64_t taps0;
  int64_t taps1;
  int64_t taps2;
  // Bytes from tap to tap.
  int64_t tap_step0;
  int64_t tap_step1;
  int64_t tap_step2;
  // The position of the first tap; steps from tap to tap, from window to window and from channel to channel; what
  // channel 0 adds.
  int32_t position;
  int32_t position_step0;
  int32_t position_step1;
  int32_t position_step2;
  int32_t position_window_step;
  int32_t position_base;
  int32_t position_channel_step;
};
BURIN_ARG_OFFSET(PoolingArgs, input, 0);
BURIN_ARG_OFFSET(PoolingArgs, output, 8);
BURIN_ARG_OFFSET(PoolingArgs, indices, 16);
BURIN_ARG_OFFSET(PoolingArgs, places, 24);
BURIN_ARG_OFFSET(PoolingArgs, scales, 32);
BURIN_ARG_OFFSET(PoolingArgs, row, 40);
BURIN_ARG_OFFSET(PoolingArgs, column, 48);
BURIN_ARG_OFFSET(PoolingArgs, vectors, 56);
BURIN_ARG_OFFSET(PoolingArgs, tail, 64);
BURIN_ARG_OFFSET(PoolingArgs, windows, 72);
BURIN_ARG_OFFSET(PoolingArgs, is_strips, 80);
BURIN_ARG_OFFSET(PoolingArgs, has_first, 88);
BURIN_ARG_OFFSET(PoolingArgs, strips, 96);
BURIN_ARG_OFFSET(PoolingArgs, has_last, 104);
BURIN_ARG_OFFSET(PoolingArgs, window_step, 112);
BURIN_ARG_OFFSET(PoolingArgs, output_step, 120);
BURIN_ARG_OFFSET(PoolingArgs, index_step, 128);
BURIN_ARG_OFFSET(PoolingArgs, taps0, 136);
BURIN_ARG_OFFSET(PoolingArgs, taps1, 144);
BURIN_ARG_OFFSET(PoolingArgs, taps2, 152);
BURIN_ARG_OFFSET(PoolingArgs, tap_step0, 160);
BURIN_ARG_OFFSET(PoolingArgs, tap_step1, 168);
BURIN_ARG_OFFSET(PoolingArgs, tap_step2, 176);
BURIN_ARG_OFFSET(PoolingArgs, position, 184);
BURIN_ARG_OFFSET(PoolingArgs, position_step0, 188);
BURIN_ARG_OFFSET(PoolingArgs, position_step1, 192);
BURIN_ARG_OFFSET(PoolingArgs, position_step2, 196);
BURIN_ARG_OFFSET(PoolingArgs, position_window_step, 200);
BURIN_ARG_OFFSET(PoolingArgs, position_base, 204);
BURIN_ARG_OFFSET(PoolingArgs, position_channel_step, 208);

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_POOLING_POOLING_ARGS_H_
