// Generates the kernels that move many short records, such as the channels of pixels: by permuting bytes of vectors.
//
// Use it inside CopyPlan (jit/kernels/copy.h) for records of a few elements each, which lie together on one side at
// least: planes of channels become pixels and the reverse, channels change their order, every other element is taken.
// Not for records of more than some 32 bytes, which jit/kernels/copy_rows.h moves as they are, nor for more than a few
// planes: jit/kernels/copy_tiles.h. A pure function; the kernels may run on any number of threads at once.
#ifndef BURIN_JIT_KERNELS_COPY_RECORDS_H_
#define BURIN_JIT_KERNELS_COPY_RECORDS_H_

#include <string>

#include "absl/status/statusor.h"
#include "base/hash.h"
#include "jit/asm/code_blob.h"
#include "jit/isa/isa.h"
#include "jit/kernels/copy_byte_map.h"

namespace burin::jit {

// Describes a kernel over CopyArgs::extent1 records, at least RecordsAtOnce() of them, of which there are
// CopyArgs::extent2 lots. The rows of a side are CopyArgs' stride 0 apart. The extent 0 and the strides 1 are not read.
struct CopyRecordsSpec {
  // Bytes of an element: 1, 2, 4, 8 or 16. Pitches and steps are multiples of it.
  int element_bytes = 4;
  // Elements of a record.
  int count = 1;
  CopyRecordsSide source;
  CopyRecordsSide destination;

  // Returns how many records are moved at once on a machine with `isa`.
  int RecordsAtOnce(const IsaSet& isa) const;

  // Returns whether there is such a kernel for machines with `isa`: without the feature avx512_vbmi, records have no
  // gaps; no vector is made of more than four, and there are not too many of them.
  bool Fits(const IsaSet& isa) const;

  // Returns a name such as "copy_records_1x3_rows_to_3".
  std::string Name() const;

  // Returns the fingerprint of the fields.
  Hash128 ContentKey() const;
};

// Returns the code of a function of `const CopyArgs*` for machines with `isa`. It may run in place where both sides are
// alike. Internal where it does not fit; else fails as Assembler::Finalize() does.
absl::StatusOr<CodeBlob> GenerateCopyRecords(const CopyRecordsSpec& spec, const IsaSet& isa);

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_COPY_RECORDS_H_
