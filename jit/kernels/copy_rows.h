// Generates the kernels that move or fill rows of contiguous bytes.
//
// Use it inside CopyPlan (jit/kernels/copy.h). Not for rows of one element each: jit/kernels/copy_elements.h. A pure
// function; the kernels may run on any number of threads at once.
#ifndef BURIN_JIT_KERNELS_COPY_ROWS_H_
#define BURIN_JIT_KERNELS_COPY_ROWS_H_

#include <string>

#include "absl/status/statusor.h"
#include "base/hash.h"
#include "jit/asm/code_blob.h"
#include "jit/isa/isa.h"

namespace burin::jit {

// Describes a kernel whose innermost loop is a row of CopyArgs::extent0 bytes. Strides 0 are not read.
struct CopyRowsSpec {
  // 0 copies rows; 1, 2, 4, 8 or 16 fills each with the element of so many bytes at its source. A row is then a
  // multiple of that.
  int fill_bytes = 0;
  // Writes the lines of long rows past the caches. The caller separates it from later reads by other threads by an
  // sfence.
  bool nontemporal = false;

  // Returns a name such as "fill_rows_4_nt".
  std::string Name() const;

  // Returns the fingerprint of the fields.
  Hash128 ContentKey() const;
};

// Returns the code of a function of `const CopyArgs*` for machines with `isa`. A copy may run in place. Fails as
// Assembler::Finalize() does.
absl::StatusOr<CodeBlob> GenerateCopyRows(const CopyRowsSpec& spec, const IsaSet& isa);

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_COPY_ROWS_H_
