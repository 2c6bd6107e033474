// Generates the kernels that transpose by way of a small buffer, a block of elements at a time.
//
// Use it inside CopyPlan (jit/kernels/copy.h) where the lines of a tile displace each other from the cache, because
// their distances are multiples of large powers of two, or where the destination is written past the caches. A block is
// read by vectors of so few rows that each line is touched once, which leave pieces of the columns in the scratch
// memory. Those are put together to runs of several lines of one row of the destination after the other, which is what
// caches and their prefetching are made for. Elsewhere jit/kernels/copy_tiles.h moves each element once less. A pure
// function; the kernels may run on any number of threads at once.
#ifndef BURIN_JIT_KERNELS_COPY_BLOCKS_H_
#define BURIN_JIT_KERNELS_COPY_BLOCKS_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "base/hash.h"
#include "jit/asm/code_blob.h"
#include "jit/isa/isa.h"

namespace burin::jit {

// Describes a kernel over planes of `rows` x `columns` elements. Along CopyArgs::extent0, the rows, the destination is
// contiguous; along extent1, the columns, the source is; extent2 are the planes. Strides 0 of the destination and 1 of
// the source are not read: they are one element. Each extent is at least a block's.
struct CopyBlocksSpec {
  // Bytes of an element: 1, 2, 4, 8 or 16.
  int element_bytes = 4;
  // Bytes of a block's runs in the source and in the destination: powers of two, at least 64 and at most kMaxRunBytes,
  // and so that the scratch memory has room for two blocks: see ScratchBytes().
  int source_run_bytes = 128;
  int destination_run_bytes = 256;
  // Writes whole blocks past the caches where their lines are aligned. The caller separates it from later reads by
  // other threads by an sfence.
  bool nontemporal = false;

  static constexpr int kMaxRunBytes = 512;

  // Return the elements of a block along rows and columns.
  int BlockRows() const { return destination_run_bytes / element_bytes; }
  int BlockColumns() const { return source_run_bytes / element_bytes; }

  // Returns the bytes of scratch memory that a block takes. One is written while the next one is read.
  int64_t ScratchBytes() const;

  // Returns a name such as "transpose_4_blocks_256x128_nt".
  std::string Name() const;

  // Returns the fingerprint of the fields.
  Hash128 ContentKey() const;
};

// Returns the code of a function of `const CopyArgs*` for machines with `isa`. Not in place. Internal for runs out of
// range or blocks that do not fit the scratch memory; else fails as Assembler::Finalize() does.
absl::StatusOr<CodeBlob> GenerateCopyBlocks(const CopyBlocksSpec& spec, const IsaSet& isa);

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_COPY_BLOCKS_H_
