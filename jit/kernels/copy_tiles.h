// Generates the kernels that transpose: what is adjacent in the destination is far apart in the source, and the
// reverse.
//
// Use it inside CopyPlan (jit/kernels/copy.h). A tile is moved through registers (jit/kernels/copy_interleaver.h). Not
// for rows that stay together: jit/kernels/copy_rows.h; nor where the lines of a tile displace each other from the
// cache: jit/kernels/copy_blocks.h. A pure function; the kernels may run on any number of threads at once.
#ifndef BURIN_JIT_KERNELS_COPY_TILES_H_
#define BURIN_JIT_KERNELS_COPY_TILES_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "base/hash.h"
#include "jit/asm/code_blob.h"
#include "jit/isa/isa.h"

namespace burin::jit {

// Names the sizes of tiles.
enum class CopyTileShape : uint8_t {
  // Whole lines of the destination: 64 bytes of each of its rows.
  kLine,
  // 16 bytes each way.
  kSmall,
  // At most 16 bytes each way, by masks: for extents that are shorter than that. Needs the level avx512.
  kMasked,
};

// Is the most columns of a plane for CopyTilesSpec::few_columns.
inline constexpr int kFewColumns = 4;

// Describes a kernel over planes of `rows` x `columns` elements. Along CopyArgs::extent0, the rows, the destination is
// contiguous; along extent1, the columns, the source is; extent2 are the planes. Strides 0 of the destination and 1 of
// the source are not read: they are one element.
struct CopyTilesSpec {
  // Bytes of an element: 1, 2, 4, 8 or 16.
  int element_bytes = 4;
  CopyTileShape shape = CopyTileShape::kLine;
  // Tiles of kLine as wide as a line of the source, instead of 16 bytes.
  bool wide = true;
  // Tiles of kLine by vectors of 256 bits, of which two make a line, and along strips of columns: for planes that stay
  // in the level 1 cache. With level avx512 too, where such vectors are no slower than twice as long ones.
  bool half_lines = false;
  // Masked tiles of at most kFewColumns columns, in all: channels of an image. It leaves out what makes the others.
  bool few_columns = false;

  // Return the elements of a tile along rows and columns. Each extent is at least that; the last
  // tile overlaps the one before. For kMasked it is the most, and any extent goes.
  int TileRows() const;
  int TileColumns() const;

  // Returns a name such as "transpose_1_line_wide_half".
  std::string Name() const;

  // Returns the fingerprint of the fields.
  Hash128 ContentKey() const;
};

// Returns the code of a function of `const CopyArgs*` for machines with `isa`. Not in place. Internal for masks without
// the level avx512; else fails as Assembler::Finalize() does.
absl::StatusOr<CodeBlob> GenerateCopyTiles(const CopyTilesSpec& spec, const IsaSet& isa);

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_COPY_TILES_H_
