// Declares what every copy kernel takes as its argument: three nested loops over two strided layouts.
//
// Use it where copy kernels are generated and called (jit/kernels/copy.h); other code calls them through a CopyPlan. A
// value; a call reads it only.
#ifndef BURIN_JIT_KERNELS_COPY_ARGS_H_
#define BURIN_JIT_KERNELS_COPY_ARGS_H_

#include <cstdint>

#include "jit/asm/arg_field.h"

namespace burin::jit {

// Holds addresses, the extents of the loops from the innermost on, all above 0, and their strides in bytes. Each kernel
// says what its innermost loop runs over.
struct CopyArgs {
  const uint8_t* source;
  uint8_t* destination;
  int64_t extent0;
  int64_t extent1;
  int64_t extent2;
  int64_t source_stride0;
  int64_t source_stride1;
  int64_t source_stride2;
  int64_t destination_stride0;
  int64_t destination_stride1;
  int64_t destination_stride2;
  // kCopyScratchBytes bytes, aligned to 64, where the kernel asks for them.
  uint8_t* scratch;
};
BURIN_ARG_OFFSET(CopyArgs, source, 0);
BURIN_ARG_OFFSET(CopyArgs, destination, 8);
BURIN_ARG_OFFSET(CopyArgs, extent0, 16);
BURIN_ARG_OFFSET(CopyArgs, extent1, 24);
BURIN_ARG_OFFSET(CopyArgs, extent2, 32);
BURIN_ARG_OFFSET(CopyArgs, source_stride0, 40);
BURIN_ARG_OFFSET(CopyArgs, source_stride1, 48);
BURIN_ARG_OFFSET(CopyArgs, source_stride2, 56);
BURIN_ARG_OFFSET(CopyArgs, destination_stride0, 64);
BURIN_ARG_OFFSET(CopyArgs, destination_stride1, 72);
BURIN_ARG_OFFSET(CopyArgs, destination_stride2, 80);
BURIN_ARG_OFFSET(CopyArgs, scratch, 88);

// Is the size of the scratch memory of a call.
inline constexpr int kCopyScratchBytes = 32 << 10;

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_COPY_ARGS_H_
