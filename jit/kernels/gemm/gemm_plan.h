// Says how a product of matrices is cut into tiles, and in what order they are computed.
//
// Use it to create a Gemm (jit/kernels/gemm/gemm.h), and to see what would be done on any machine: a pure function of
// the spec, the epilogue's registers and the target. A value.
#ifndef BURIN_JIT_KERNELS_GEMM_GEMM_PLAN_H_
#define BURIN_JIT_KERNELS_GEMM_GEMM_PLAN_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/enum_names.h"
#include "jit/isa/target.h"
#include "jit/kernels/brgemm/brgemm_tile.h"
#include "jit/kernels/epilogue_emitter.h"
#include "jit/kernels/gemm/gemm_spec.h"

namespace burin::jit {

// Names how tiles read B: panels that were packed ahead; B itself, by vectors of columns; panels that each call packs
// into its scratch memory; B itself, by vectors along the sum, where columns and rows of A lie in one run each.
enum class GemmSource : uint8_t { kPanels, kInPlace, kScratch, kDot };

// Is a part of a strip of columns: as many vectors as a tile has.
struct GemmColumns {
  // The first, from the strip's.
  int64_t first = 0;
  BrgemmTile tile;
  // Of the last vector, where that is not whole; else 0.
  int last_columns = 0;
};

// Holds the plan. The loops, from the outermost: products of the batch, blocks of rows, chunks of the sum, strips of
// columns, parts of a strip, tiles of rows.
struct GemmPlan {
  GemmSource source = GemmSource::kPanels;
  // Columns of a strip: of a panel, but for B that is read as it lies.
  int64_t strip_columns = 64;
  // The parts of every strip but the last, and of the last where it has fewer columns. Of dot products, it is one part,
  // whose tile has columns of a group where others have vectors.
  std::vector<GemmColumns> whole_strip;
  std::vector<GemmColumns> last_strip;
  // The most rows of a block, and steps of a chunk: the last one has what is left.
  int64_t block_rows = 1;
  int64_t chunk_steps = 1;
  // Whether a chunk is so short that one call goes along all strips.
  bool along_strips = false;
  // Lines that each pass of a tile's loop fetches of the strip after the present one, and how many calls follow each
  // such call without: 0 lines fetch nothing. Of dot products: whether they fetch the group of columns behind.
  int prefetch_lines = 0;
  // Whether code holds the length of the sum: of short ones, which then end without a burst of stores.
  bool fixed_depth = false;
  // Whether tiles fetch their lines of C ahead: there is more of C than the near caches keep.
  bool prefetch_c = false;
  // The least multiply-adds of a work item, where there is as much.
  int64_t item_work = 0;

  // Returns the plan for a spec that is valid. `epilogue_registers` are zeros where there is no epilogue. `tile`, if
  // any, is that of whole strips in place of the best one: to measure how good that is. It is not taken where one tile
  // has all rows of B in place.
  static GemmPlan Of(const GemmSpec& spec, const EpilogueRegisters& epilogue_registers, const Target& target,
                     const std::optional<BrgemmTile>& tile = std::nullopt);

  // Returns the number of chunks of the sum, of strips.
  int64_t Chunks(const GemmSpec& spec) const { return Pieces(spec.k, chunk_steps); }
  int64_t Strips(const GemmSpec& spec) const { return Pieces(spec.n, strip_columns); }

  // Returns one line, such as "panels, tiles 7x4 embedded, strips 64, chunks 1024, blocks 64".
  std::string ToString() const;

 private:
  static int64_t Pieces(int64_t count, int64_t size) { return (count + size - 1) / size; }
};

// Returns about how many cycles of one core the product takes: the more of arithmetic and memory.
double GemmCycles(const GemmSpec& spec, const Target& target);

}  // namespace burin::jit

namespace burin {

template <>
struct EnumNames<jit::GemmSource> {
  static constexpr EnumEntry<jit::GemmSource> kEntries[] = {{jit::GemmSource::kPanels, "panels"},
                                                            {jit::GemmSource::kInPlace, "in_place"},
                                                            {jit::GemmSource::kScratch, "scratch"},
                                                            {jit::GemmSource::kDot, "dot"}};
};

}  // namespace burin

#endif  // BURIN_JIT_KERNELS_GEMM_GEMM_PLAN_H_
