// Generates the kernels that move elements one by one, whatever their strides.
//
// Use it inside CopyPlan (jit/kernels/copy.h) for what neither rows nor tiles move. One element a cycle is what it can
// reach; gathers are no faster where they were measured. A pure function; the kernels may run on any number of threads
// at once.
#ifndef BURIN_JIT_KERNELS_COPY_ELEMENTS_H_
#define BURIN_JIT_KERNELS_COPY_ELEMENTS_H_

#include <string>

#include "absl/status/statusor.h"
#include "base/hash.h"
#include "jit/asm/code_blob.h"
#include "jit/isa/isa.h"

namespace burin::jit {

// Describes a kernel whose innermost loop runs over CopyArgs::extent0 elements at strides 0.
struct CopyElementsSpec {
  // Bytes of an element: 1, 2, 4, 8 or 16.
  int element_bytes = 1;

  // Returns a name such as "copy_elements_4".
  std::string Name() const;

  // Returns the fingerprint of the fields.
  Hash128 ContentKey() const;
};

// Returns the code of a function of `const CopyArgs*` for machines with `isa`. May run in place. Fails as
// Assembler::Finalize() does.
absl::StatusOr<CodeBlob> GenerateCopyElements(const CopyElementsSpec& spec, const IsaSet& isa);

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_COPY_ELEMENTS_H_
