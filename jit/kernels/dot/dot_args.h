// Fixes the struct that dot kernels take: where the operands of one call are, and what is known at run time only.
//
// Use it to call a DotKernel (jit/kernels/dot/dot.h), and in its generator. Plain data.
#ifndef BURIN_JIT_KERNELS_DOT_DOT_ARGS_H_
#define BURIN_JIT_KERNELS_DOT_DOT_ARGS_H_

#include <cstdint>

#include "jit/asm/arg_field.h"
#include "jit/kernels/epilogue_emitter.h"

namespace burin::jit {

// Is the argument of one call.
struct DotArgs {
  // Addresses of the first row of A, of the first column of B and of the first element of C. C is not touched where an
  // epilogue stores and nothing is added to it.
  const void* a = nullptr;
  const void* b = nullptr;
  void* c = nullptr;
  // Bytes from row to row of A, from column to column of B, from row to row of C; of any sign.
  int64_t a_row_stride = 0;
  int64_t b_column_stride = 0;
  int64_t c_row_stride = 0;
  // Steps of the sum, at least 0; and columns, 1 to DotSpec::kMaxColumns. Where they are fewer than DotSpec::group, so
  // many that the group is whole lie before `b`, and are read.
  int64_t depth = 0;
  int64_t columns = 0;
  // Of the epilogue: its operands, and the first row and column.
  const EpiloguePlace* places = nullptr;
  int64_t row = 0;
  int64_t column = 0;
};
BURIN_ARG_OFFSET(DotArgs, a, 0);
BURIN_ARG_OFFSET(DotArgs, b, 8);
BURIN_ARG_OFFSET(DotArgs, c, 16);
BURIN_ARG_OFFSET(DotArgs, a_row_stride, 24);
BURIN_ARG_OFFSET(DotArgs, b_column_stride, 32);
BURIN_ARG_OFFSET(DotArgs, c_row_stride, 40);
BURIN_ARG_OFFSET(DotArgs, depth, 48);
BURIN_ARG_OFFSET(DotArgs, columns, 56);
BURIN_ARG_OFFSET(DotArgs, places, 64);
BURIN_ARG_OFFSET(DotArgs, row, 72);
BURIN_ARG_OFFSET(DotArgs, column, 80);

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_DOT_DOT_ARGS_H_
