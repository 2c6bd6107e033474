// Chooses how many rows and columns a dot kernel multiplies at once.
//
// Use it in the plans of products. The choice follows from the registers, and from how processors read memory: as many
// columns side by side as there are, up to eight. Pure functions of values, hence thread-safe.
#ifndef BURIN_JIT_KERNELS_DOT_DOT_TILE_H_
#define BURIN_JIT_KERNELS_DOT_DOT_TILE_H_

#include <cstdint>

#include "jit/isa/target.h"

namespace burin::jit {

// Is a tile: rows, and columns of a group.
struct DotTile {
  int rows = 1;
  int group = 1;
};

// Returns the tile for a product of so many rows and columns, each at least 1.
DotTile ChooseDotTile(int64_t rows, int64_t columns, const Target& target);

// Returns about how many cycles of one core the tiles of `rows` x `columns` sums of `depth` products take, where B is
// `b_bytes_per_cycle` away: the most of products, loads and B, and what it takes to add up chains.
double DotCycles(int64_t rows, int64_t columns, int64_t depth, double b_bytes_per_cycle, const Target& target);

}  // namespace burin::jit

#endif  // BURIN_JIT_KERNELS_DOT_DOT_TILE_H_
