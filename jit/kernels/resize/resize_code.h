// Generates the code of resamplings by sums.
//
// Use it inside ResizeKernel (jit/kernels/resize/resize.h), and to look at code. What only moves elements is a
// gathering (jit/kernels/gather/gather_code.h). Pure functions; the code may run on any number of threads at once.
#ifndef BURIN_JIT_KERNELS_RESIZE_RESIZE_CODE_H_
#define BURIN_JIT_KERNELS_RESIZE_RESIZE_CODE_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "jit/asm/code_blob.h"
#include "jit/isa/target.h"
#include "jit/kernels/epilogue_emitter.h"
#include "jit/kernels/resize/resize_spec.h"

namespace burin::jit {

// Returns the code of a function of `const ResizeSumArgs*`, whose vectors are channels, that sums up `term` of each
// element. With an epilogue, which has elements as rows and channels as columns, it stores nothing itself. It does not
// depend on sizes. Fails as Assembler::Finalize() does.
absl::StatusOr<CodeBlob> GenerateResizeSum(ResizeTerm term, const Target& target, const EpilogueEmitter* epilogue);

// Says how elements of a row are fetched: each by itself, or from the two vectors that all taps of a vector lie in.
enum class ResizeRowAccess : uint8_t { kGather, kTwoVectors };

// Returns the code of a function of `const ResizeRowArgs*`, whose vectors are elements of a row: the rows and columns
// of an epilogue. Else alike.
absl::StatusOr<CodeBlob> GenerateResizeRow(ResizeRowAccess access, const Target& target,
                                           const EpilogueEmitter* epilogue);

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_RESIZE_RESIZE_CODE_H_
