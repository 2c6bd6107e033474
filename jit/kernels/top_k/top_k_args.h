// Declares what the code that selects elements takes as its argument.
//
// Use it where the code is generated and called; other code calls it through a TopKKernel (jit/kernels/top_k/top_k.h).
// Values; a call reads them, and writes where they point.
#ifndef BURIN_JIT_KERNELS_TOP_K_TOP_K_ARGS_H_
#define BURIN_JIT_KERNELS_TOP_K_TOP_K_ARGS_H_

#include <cstdint>

#include "jit/asm/arg_field.h"

namespace burin::jit {

// Holds the arguments of a selection from a row whose elements lie side by side.
struct TopKRowArgs {
  const uint8_t* source;
  // Elements of the row, at least k, and how many are selected, above 0.
  int64_t length;
  int64_t k;
  // Gets what is selected, the first in order first: each the key of its element in the upper half, and its index,
  // complemented, in the lower.
  int64_t* selected;
};
BURIN_ARG_OFFSET(TopKRowArgs, source, 0);
BURIN_ARG_OFFSET(TopKRowArgs, length, 8);
BURIN_ARG_OFFSET(TopKRowArgs, k, 16);
BURIN_ARG_OFFSET(TopKRowArgs, selected, 24);

// Holds the arguments of selections side by side.
struct TopKLanesArgs {
  const uint8_t* source;
  int64_t length;
  int64_t k;
  // Bytes from element to element.
  int64_t stride;
  // Selections: up to a whole vector, or as many as are made at once.
  int64_t count;
  // Get, by place in the order, the keys and the indices of all selections, up to whole vectors.
  int32_t* keys;
  int32_t* indices;
};
BURIN_ARG_OFFSET(TopKLanesArgs, source, 0);
BURIN_ARG_OFFSET(TopKLanesArgs, length, 8);
BURIN_ARG_OFFSET(TopKLanesArgs, k, 16);
BURIN_ARG_OFFSET(TopKLanesArgs, stride, 24);
BURIN_ARG_OFFSET(TopKLanesArgs, count, 32);
BURIN_ARG_OFFSET(TopKLanesArgs, keys, 40);
BURIN_ARG_OFFSET(TopKLanesArgs, indices, 48);

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_TOP_K_TOP_K_ARGS_H_
