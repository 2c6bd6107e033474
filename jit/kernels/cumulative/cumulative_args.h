// Declares what the code of running sums takes as its argument.
//
// Use it where the code is generated and called; other code calls it through a CumulativeKernel
// (jit/kernels/cumulative/cumulative.h). A value; a call reads it only.
#ifndef BURIN_JIT_KERNELS_CUMULATIVE_CUMULATIVE_ARGS_H_
#define BURIN_JIT_KERNELS_CUMULATIVE_CUMULATIVE_ARGS_H_

#include <cstdint>

#include "jit/asm/arg_field.h"
#include "jit/kernels/epilogue_emitter.h"

namespace burin::jit {

// Holds the arguments of a call. Strides are in bytes, negative where sums run backwards.
struct CumulativeArgs {
  // Of the first element that is added.
  const uint8_t* source;
  uint8_t* destination;
  const EpiloguePlace* places;
  // Of the first element, as a row (lanes apart) or a column (along a row), and steps of it.
  int64_t row;
  int64_t column;
  // Elements that are added up, above 0.
  int64_t length;
  int64_t source_stride;
  int64_t destination_stride;
  // Rows from element to element.
  int64_t row_step;
  // Whole vectors of sums side by side, and the sums behind them.
  int64_t vectors;
  int64_t rest;
};
BURIN_ARG_OFFSET(CumulativeArgs, source, 0);
BURIN_ARG_OFFSET(CumulativeArgs, destination, 8);
BURIN_ARG_OFFSET(CumulativeArgs, places, 16);
BURIN_ARG_OFFSET(CumulativeArgs, row, 24);
BURIN_ARG_OFFSET(CumulativeArgs, column, 32);
BURIN_ARG_OFFSET(CumulativeArgs, length, 40);
BURIN_ARG_OFFSET(CumulativeArgs, source_stride, 48);
BURIN_ARG_OFFSET(CumulativeArgs, destination_stride, 56);
BURIN_ARG_OFFSET(CumulativeArgs, row_step, 64);
BURIN_ARG_OFFSET(CumulativeArgs, vectors, 72);
BURIN_ARG_OFFSET(CumulativeArgs, rest, 80);

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_CUMULATIVE_CUMULATIVE_ARGS_H_
