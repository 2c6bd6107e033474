// Is what the code of a fused kernel takes.
//
// Use it where such code is generated or called. Plain data.
#ifndef BURIN_SNIPPETS_CODEGEN_FUSED_KERNEL_ARGS_H_
#define BURIN_SNIPPETS_CODEGEN_FUSED_KERNEL_ARGS_H_

#include <cstdint>

#include "jit/asm/arg_field.h"
#include "jit/debug/cycle_counters.h"

namespace burin::snippets {

// Is what a kernel takes; it returns nothing.
struct FusedKernelArgs {
  // Of each operand, where the loops begin: aligned as its elements are.
  void* const* operands;
  // Of each axis, 0 or more. Of a vector axis without loops: 1 to as many elements as its vectors have, but more than
  // one vector fewer has.
  const int64_t* extents;
  // In bytes: element [operand * axes + axis]. Of an operand that does not vary along the axis, 0; of a buffer, where
  // the one for the next iteration is, which may run beside the present one. There are buffers for kMostRows of them.
  const int64_t* strides;
  // Of each expression. Read only by code that counts cycles.
  jit::CycleCount* counts = nullptr;
};

// Iterations of one loop that run side by side.
inline constexpr int kMostRows = 2;

BURIN_ARG_OFFSET(FusedKernelArgs, operands, 0);
BURIN_ARG_OFFSET(FusedKernelArgs, extents, 8);
BURIN_ARG_OFFSET(FusedKernelArgs, strides, 16);
BURIN_ARG_OFFSET(FusedKernelArgs, counts, 24);

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_CODEGEN_FUSED_KERNEL_ARGS_H_
