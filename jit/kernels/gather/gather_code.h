// Generates the code of gatherings: a function of GatherArgs that copies rows chosen by index.
//
// Use it inside GatherKernel (jit/kernels/gather/gather.h), and to look at code. A pure function; the code may run on
// any number of threads at once.
#ifndef BURIN_JIT_KERNELS_GATHER_GATHER_CODE_H_
#define BURIN_JIT_KERNELS_GATHER_GATHER_CODE_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "base/hash.h"
#include "jit/asm/code_blob.h"
#include "jit/isa/isa.h"

namespace burin::jit {

// Describes the code.
struct GatherCodeSpec {
  // Of a row, above 0.
  int64_t row_bytes = 4;
  // Of an index: 4 or 8, signed.
  int index_bytes = 8;
  // How many rows ahead the beginning of a row is fetched; 0 where the caches foresee it or hold all of it.
  int prefetch_rows = 0;

  // Returns a name such as "gather_rows_3072_i64_p4".
  std::string Name() const;

  // Returns the fingerprint of the fields.
  Hash128 ContentKey() const;
};

// Returns the code of a function of `const GatherArgs*` for machines with `isa`. Fails as Assembler::Finalize() does.
absl::StatusOr<CodeBlob> GenerateGather(const GatherCodeSpec& spec, const IsaSet& isa);

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_GATHER_GATHER_CODE_H_
