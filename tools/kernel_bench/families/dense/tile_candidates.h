// Lists the tiles that a dense kernel might take, to search for the best.
//
// Use it for `kernel_bench -tune`. A pure function, hence thread-safe.
#ifndef BURIN_TOOLS_KERNEL_BENCH_FAMILIES_DENSE_TILE_CANDIDATES_H_
#define BURIN_TOOLS_KERNEL_BENCH_FAMILIES_DENSE_TILE_CANDIDATES_H_

#include <cstdint>
#include <vector>

#include "jit/isa/target.h"
#include "jit/kernels/brgemm/brgemm_tile.h"

namespace burin::kernel_bench {

// Returns tiles for matrices of so many rows and columns: of each number of vectors and each way in which A gets into
// the products, those with the most rows that the registers have room for, two with somewhat fewer, and one with half.
std::vector<jit::BrgemmTile> TileCandidates(int64_t rows, int64_t columns, const jit::Target& target);

}  // namespace burin::kernel_bench

#endif  // BURIN_TOOLS_KERNEL_BENCH_FAMILIES_DENSE_TILE_CANDIDATES_H_
