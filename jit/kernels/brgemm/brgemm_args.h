// Fixes the struct that product kernels take: where the operands of one tile are, and what is known at run time only.
//
// Use it to call a Brgemm (jit/kernels/brgemm/brgemm.h), and in its generator. Plain data.
#ifndef BURIN_JIT_KERNELS_BRGEMM_BRGEMM_ARGS_H_
#define BURIN_JIT_KERNELS_BRGEMM_BRGEMM_ARGS_H_

#include <cstdint>

#include "jit/asm/arg_field.h"
#include "jit/kernels/epilogue_emitter.h"

namespace burin::jit {

// Is the argument of one call. What the spec fixes, or does not have, is not read.
struct BrgemmArgs {
  // Addresses to which the taps' offsets, and the rows', are added: of A, of B and of the tile's first element of C.
  // C is not touched where an epilogue stores and the accumulators start from zero.
  const void* a = nullptr;
  const void* b = nullptr;
  void* c = nullptr;
  // Bytes from row to row of A and of C: where the spec has no list of them.
  int64_t a_row_stride = 0;
  int64_t c_row_stride = 0;
  // Bytes from one step of the sum to the next, in A and in B: where the spec has none.
  int64_t a_step = 0;
  int64_t b_step = 0;
  // Steps of the sum, at least 0: where the spec has none.
  int64_t depth = 0;
  // Columns that there are of the last vector, 1 to its lanes: where the spec says that it is partial.
  int64_t last_columns = 0;
  // Memory to fetch into the level 2 cache, and the bytes to advance after each group of steps: BrgemmSpec::unroll of
  // them. 0 fetches the same lines over and over: no others.
  const void* prefetch = nullptr;
  int64_t prefetch_step = 0;
  // Of the epilogue: its operands, and the tile's first row and column.
  const EpiloguePlace* places = nullptr;
  int64_t row = 0;
  int64_t column = 0;
  // Tiles beside each other, at least 1: where the spec says that there are several.
  int64_t repeats = 0;
};
BURIN_ARG_OFFSET(BrgemmArgs, a, 0);
BURIN_ARG_OFFSET(BrgemmArgs, b, 8);
BURIN_ARG_OFFSET(BrgemmArgs, c, 16);
BURIN_ARG_OFFSET(BrgemmArgs, a_row_stride, 24);
BURIN_ARG_OFFSET(BrgemmArgs, c_row_stride, 32);
BURIN_ARG_OFFSET(BrgemmArgs, a_step, 40);
BURIN_ARG_OFFSET(BrgemmArgs, b_step, 48);
BURIN_ARG_OFFSET(BrgemmArgs, depth, 56);
BURIN_ARG_OFFSET(BrgemmArgs, last_columns, 64);
BURIN_ARG_OFFSET(BrgemmArgs, prefetch, 72);
BURIN_ARG_OFFSET(BrgemmArgs, prefetch_step, 80);
BURIN_ARG_OFFSET(BrgemmArgs, places, 88);
BURIN_ARG_OFFSET(BrgemmArgs, row, 96);
BURIN_ARG_OFFSET(BrgemmArgs, column, 104);
BURIN_ARG_OFFSET(BrgemmArgs, repeats, 112);

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_BRGEMM_BRGEMM_ARGS_H_
