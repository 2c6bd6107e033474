// Generates the code of poolings: a function of PoolingArgs for windows side by side.
//
// Use it inside PoolingKernel (jit/kernels/pooling/pooling.h), and to look at code. Windows are taken in two ways:
//
//   strips   Several windows, for one vector of channels or few. Each column of the input (all taps of one coordinate
//            of the innermost axis) is reduced once, into a register of its own, then the columns of each window are.
//            What windows share is neither read nor computed twice. A row of windows is strips of equal length; its
//            first and last strip lack the columns that lie in the padding.
//   singles  One window with any taps, for several vectors of channels; taps in the order of the axes.
//
// A window is always taken in the same way, so that no bit depends on how windows are cut into calls. A pure function;
// the code may run on any number of threads at once.
#ifndef BURIN_JIT_KERNELS_POOLING_POOLING_CODE_H_
#define BURIN_JIT_KERNELS_POOLING_POOLING_CODE_H_

#include "absl/status/statusor.h"
#include "jit/asm/code_blob.h"
#include "jit/isa/target.h"
#include "jit/kernels/epilogue_emitter.h"
#include "jit/kernels/pooling/pooling_code_spec.h"

namespace burin::jit {

// Returns the code of a function of `const PoolingArgs*` for `target`. With an epilogue it stores nothing but indices:
// the epilogue does. Fails as Assembler::Finalize() does.
absl::StatusOr<CodeBlob> GeneratePooling(const PoolingCodeSpec& spec, const Target& target,
                                         const EpilogueEmitter* epilogue);

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_POOLING_POOLING_CODE_H_
