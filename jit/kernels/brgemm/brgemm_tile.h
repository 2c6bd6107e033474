// Chooses the shape of the tiles that a dense kernel keeps in registers.
//
// Use it in the plans of products and convolutions, for each width of a strip of columns: a whole panel, and what is
// left at the end. The choice follows from the registers, the rate of FMAs and loads, and the ways of the level 1
// cache. Pure functions of values, hence thread-safe.
#ifndef BURIN_JIT_KERNELS_BRGEMM_BRGEMM_TILE_H_
#define BURIN_JIT_KERNELS_BRGEMM_BRGEMM_TILE_H_

#include <cstdint>

#include "jit/isa/microarch.h"
#include "jit/isa/target.h"

namespace burin::jit {

// Is a tile of rows by vectors, and how A gets into its products.
struct BrgemmTile {
  int rows = 1;
  int vectors = 1;
  BroadcastForm broadcast = BroadcastForm::kRegister;

  friend bool operator==(const BrgemmTile& a, const BrgemmTile& b) {
    return a.rows == b.rows && a.vectors == b.vectors && a.broadcast == b.broadcast;
  }
};

// Says what a tile is for.
struct BrgemmTileRequest {
  // Columns of the strip, at least 1: a panel's, or fewer.
  int64_t columns = 64;
  // Steps of the sum; 0 where that is known at run time only.
  int64_t depth = 0;
  // Rows that there are in all; 0 where that is known at run time only.
  int64_t rows = 0;
  // Bytes from row to row of A; 0 where that is known at run time only.
  int64_t a_row_stride = 0;
  // Vector registers that the epilogue wants beside the accumulators (EpilogueRegisters::vectors).
  int epilogue_vectors = 0;
  // Those that it cannot do without (EpilogueRegisters::least_vectors).
  int epilogue_least = 0;
  // Vector registers that hold something else throughout, such as a mask.
  int reserved_vectors = 0;
};

// Returns the tile with the most rows that pays; where the strip has several tiles side by side, each but the last has
// `vectors`.
BrgemmTile ChooseBrgemmTile(const BrgemmTileRequest& request, const Target& target);

// Returns how many rows that are `stride` bytes apart the level 1 cache holds a line of each of, beside the lines of B
// that pass: fewer than its ways where the lines share a set; the largest number where they do not.
int RowsInCache(int64_t stride, const Target& target);

// Says how rows are dealt to tiles: the first `taller` of them have `rows` + 1, the others `rows`.
struct RowSplit {
  int64_t tiles = 0;
  int rows = 0;
  int64_t taller = 0;

  // Deals `count` >= 0 rows to as few tiles of at most `most` >= 1 as there can be, as evenly as can be.
  static RowSplit Of(int64_t count, int most);

  // Returns the first row of tile `index`, 0 to `tiles`, and how many it has.
  int64_t First(int64_t index) const { return index * rows + (index < taller ? index : taller); }
  int RowsOf(int64_t index) const { return rows + (index < taller ? 1 : 0); }
};

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_BRGEMM_BRGEMM_TILE_H_
