// Generates the code of running sums: a function of CumulativeArgs.
//
// Use it inside CumulativeKernel (jit/kernels/cumulative/cumulative.h), and to look at code. Pure functions; the code
// may run on any number of threads at once.
#ifndef BURIN_JIT_KERNELS_CUMULATIVE_CUMULATIVE_CODE_H_
#define BURIN_JIT_KERNELS_CUMULATIVE_CUMULATIVE_CODE_H_

#include <string>

#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "base/hash.h"
#include "jit/asm/code_blob.h"
#include "jit/isa/target.h"
#include "jit/kernels/epilogue_emitter.h"

namespace burin::jit {

// Describes the code.
struct CumulativeCodeSpec {
  // A type of 4 or 8 bytes: f32, f64 or an integer, which wraps around.
  ElementType type = ElementType::kF32;
  // Whether a sum leaves out the element at its own place.
  bool exclusive = false;
  // Whether elements that are added lie side by side; else sums do, and each vector of them adds up in sequence. Within
  // a vector of elements sums are those of a tree: to each the sum of those 1, 2, 4 ... places before is added, then
  // what came before the vector.
  bool along_row = false;
  // Of those along a row: from the last element to the first. Else strides tell.
  bool reverse = false;

  // Returns a name such as "cumulative_f32_row_exclusive".
  std::string Name() const;

  // Returns the fingerprint of the fields.
  Hash128 ContentKey() const;
};

// Returns the code of a function of `const CumulativeArgs*` for `target`. With an epilogue, of f32 alone, it stores
// nothing itself; its rows and columns are those of the arguments. Source and destination may be the same. Fails as
// Assembler::Finalize() does.
absl::StatusOr<CodeBlob> GenerateCumulative(const CumulativeCodeSpec& spec, const Target& target,
                                            const EpilogueEmitter* epilogue);

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_CUMULATIVE_CUMULATIVE_CODE_H_
