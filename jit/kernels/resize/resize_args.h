// Declares what the code of resamplings takes as its argument, and the tables that it reads.
//
// Use it where the code is generated and called; other code calls it through a ResizeKernel
// (jit/kernels/resize/resize.h). Values; a call reads them only.
#ifndef BURIN_JIT_KERNELS_RESIZE_RESIZE_ARGS_H_
#define BURIN_JIT_KERNELS_RESIZE_RESIZE_ARGS_H_

#include <cstdint>

#include "jit/asm/arg_field.h"
#include "jit/kernels/epilogue_emitter.h"

namespace burin::jit {

// Is a tap in memory: bytes from the beginning of the axis, and its weight.
struct ResizeTableTap {
  int64_t offset;
  float weight;
  int32_t unused;
};
static_assert(sizeof(ResizeTableTap) == 16, "the code steps from tap to tap");

// Names the taps of an element of an axis: `count` from so many bytes behind the first tap of all on.
struct ResizeTableElement {
  int64_t first;
  int64_t count;
};
static_assert(sizeof(ResizeTableElement) == 16, "the code steps from element to element");

// Holds the arguments of the code that sums up channels: elements of the innermost axis, each the weighted sum of the
// channels of other elements.
struct ResizeSumArgs {
  const uint8_t* source;
  uint8_t* destination;
  const EpiloguePlace* places;
  // Of the first element among all, and of the first channel.
  int64_t row;
  int64_t column;
  // Taps of the outer axes, which are combined already.
  const ResizeTableTap* outer;
  int64_t outer_count;
  // Taps of the innermost axis; its elements, and bytes of the destination from one to the next.
  const ResizeTableTap* taps;
  const ResizeTableElement* elements;
  int64_t count;
  int64_t destination_step;
  // Whole vectors of channels, and the channels behind them.
  int64_t vectors;
  int64_t rest;
};
BURIN_ARG_OFFSET(ResizeSumArgs, source, 0);
BURIN_ARG_OFFSET(ResizeSumArgs, destination, 8);
BURIN_ARG_OFFSET(ResizeSumArgs, places, 16);
BURIN_ARG_OFFSET(ResizeSumArgs, row, 24);
BURIN_ARG_OFFSET(ResizeSumArgs, column, 32);
BURIN_ARG_OFFSET(ResizeSumArgs, outer, 40);
BURIN_ARG_OFFSET(ResizeSumArgs, outer_count, 48);
BURIN_ARG_OFFSET(ResizeSumArgs, taps, 56);
BURIN_ARG_OFFSET(ResizeSumArgs, elements, 64);
BURIN_ARG_OFFSET(ResizeSumArgs, count, 72);
BURIN_ARG_OFFSET(ResizeSumArgs, destination_step, 80);
BURIN_ARG_OFFSET(ResizeSumArgs, vectors, 88);
BURIN_ARG_OFFSET(ResizeSumArgs, rest, 96);

// Holds the arguments of the code that resamples a row whose elements lie side by side.
struct ResizeRowArgs {
  const uint8_t* source;
  uint8_t* destination;
  const EpiloguePlace* places;
  // Of the row among all.
  int64_t row;
  // For each tap, an index and a weight of each element, up to a whole vector; the weight is 0 where there is no such
  // tap. Where they lie in two vectors, indices count from the first of those.
  const int32_t* indices;
  const float* weights;
  int64_t taps;
  // Bytes from the indices of a tap to those of the next, likewise of the weights.
  int64_t tap_stride;
  // Whole vectors of elements, and the elements behind them.
  int64_t vectors;
  int64_t rest;
  // At the place of the first element of each vector: the index of the first of the two vectors.
  const int32_t* bases;
};
BURIN_ARG_OFFSET(ResizeRowArgs, source, 0);
BURIN_ARG_OFFSET(ResizeRowArgs, destination, 8);
BURIN_ARG_OFFSET(ResizeRowArgs, places, 16);
BURIN_ARG_OFFSET(ResizeRowArgs, row, 24);
BURIN_ARG_OFFSET(ResizeRowArgs, indices, 32);
BURIN_ARG_OFFSET(ResizeRowArgs, weights, 40);
BURIN_ARG_OFFSET(ResizeRowArgs, taps, 48);
BURIN_ARG_OFFSET(ResizeRowArgs, tap_stride, 56);
BURIN_ARG_OFFSET(ResizeRowArgs, vectors, 64);
BURIN_ARG_OFFSET(ResizeRowArgs, rest, 72);
BURIN_ARG_OFFSET(ResizeRowArgs, bases, 80);

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_RESIZE_RESIZE_ARGS_H_
