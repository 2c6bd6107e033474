// Generates the kernels that transpose: what is adjacent in the destination is far apart in the source, and the
// reverse.
//
// Use it inside CopyPlan (jit/kernels/copy.h). A tile is moved through registers: 16 bytes are loaded from each of its
// rows, and rounds of interleaving turn them into its columns. Not for rows that stay together:
// jit/kernels/copy_rows.h. A pure function; the kernels may run on any number of threads at once.
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
  // Tiles of kLine by vectors of 256 bits, of which two make a line: with level avx512 too, where interleaving them is
  // twice as fast as with 512 bits. Lines of the destination then should stay in the cache in between.
  bool half_lines = false;
  // Copies each tile into the scratch memory first: for source strides that put the lines of a tile into few sets of
  // the cache, which then would not stay there while they are read in parts. Only with `wide`.
  bool staged = false;
  // Masked tiles of at most kFewColumns columns, in all: channels of an image. It leaves out what makes the others.
  bool few_columns = false;

  // Return the elements of a tile along rows and columns. Each extent is at least that; the last
  // tile overlaps the one before. For kMasked it is the most, and any extent goes.
  int TileRows() const;
  int TileColumns() const;

  // Returns a name such as "transpose_1_line_wide_staged".
  std::string Name() const;

  // Returns the fingerprint of the fields.
  Hash128 ContentKey() const;
};

// Returns whether each tile of kLine reads every line of its source once only, so that staging cannot help.
bool ReadsLinesOnce(int element_bytes, const IsaSet& isa);

// Returns the code of a function of `const CopyArgs*` for machines with `isa`. Not in place. Internal for masks without
// the level avx512; else fails as Assembler::Finalize() does.
absl::StatusOr<CodeBlob> GenerateCopyTiles(const CopyTilesSpec& spec, const IsaSet& isa);

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_COPY_TILES_H_
