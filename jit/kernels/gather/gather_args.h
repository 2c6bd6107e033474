// Declares what the code of a gathering takes as its argument: rows by index, for some outer positions.
//
// Use it where the code is generated and called; other code calls it through a GatherKernel
// (jit/kernels/gather/gather.h). A value; a call reads it, and writes where `missing` points.
#ifndef BURIN_JIT_KERNELS_GATHER_GATHER_ARGS_H_
#define BURIN_JIT_KERNELS_GATHER_GATHER_ARGS_H_

#include <cstdint>

#include "jit/asm/arg_field.h"

namespace burin::jit {

// Holds the arguments of a call. Strides are in bytes.
struct GatherArgs {
  const uint8_t* source;
  uint8_t* destination;
  const void* indices;
  // Indices, and outer positions that all of them are taken for; both above 0.
  int64_t count;
  int64_t outer;
  // Rows of the source.
  int64_t extent;
  int64_t source_stride;
  int64_t destination_stride;
  int64_t source_outer_stride;
  int64_t destination_outer_stride;
  // Gets the number of indices outside of the source added.
  int64_t* missing;
};
BURIN_ARG_OFFSET(GatherArgs, source, 0);
BURIN_ARG_OFFSET(GatherArgs, destination, 8);
BURIN_ARG_OFFSET(GatherArgs, indices, 16);
BURIN_ARG_OFFSET(GatherArgs, count, 24);
BURIN_ARG_OFFSET(GatherArgs, outer, 32);
BURIN_ARG_OFFSET(GatherArgs, extent, 40);
BURIN_ARG_OFFSET(GatherArgs, source_stride, 48);
BURIN_ARG_OFFSET(GatherArgs, destination_stride, 56);
BURIN_ARG_OFFSET(GatherArgs, source_outer_stride, 64);
BURIN_ARG_OFFSET(GatherArgs, destination_outer_stride, 72);
BURIN_ARG_OFFSET(GatherArgs, missing, 80);

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_GATHER_GATHER_ARGS_H_
