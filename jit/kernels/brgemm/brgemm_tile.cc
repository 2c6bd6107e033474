#include "jit/kernels/brgemm/brgemm_tile.h"

#include <algorithm>
#include <limits>

#include "base/check.h"
#include "jit/isa/isa.h"
#include "jit/kernels/brgemm/brgemm_spec.h"

namespace burin::jit {
namespace {

// Addresses this far apart share a set of the level 1 cache.
constexpr int64_t kAliasBytes = 4096;

// Accumulators that are not given up for the epilogue, by width: they keep the FMAs busy on every core (a latency of 5
// or 6 cycles at two a cycle), and each step of them pays for reading its part of B from the level 2 cache.
constexpr int kLeastAccumulators = 12;
constexpr int kLeastWideAccumulators = 20;

// Steps of a sum that is so long that its accumulators may go to the stack and come back for the epilogue: two moves of
// each among so many FMAs.
constexpr int64_t kLongSum = 256;

// Rows of up to this many tiles of the usual height are few: what counts is how often B is read.
constexpr int64_t kFewTiles = 4;

int64_t Pieces(int64_t count, int64_t size) { return (count + size - 1) / size; }

// Returns the registers that are left to accumulators of `vectors` vectors a row.
int Accumulators(int registers, int vectors, BroadcastForm broadcast, const BrgemmTileRequest& request) {
  const int loop = vectors + (broadcast == BroadcastForm::kEmbedded ? 0 : 1) + request.reserved_vectors;
  if (request.depth >= kLongSum) return registers - loop;
  // The epilogue has the registers of the loop, and then some; for what it wants beyond, accumulators go to the stack.
  const int least = registers == 32 ? kLeastWideAccumulators : kLeastAccumulators;
  const int spare = std::max({loop, request.epilogue_least, std::min(request.epilogue_vectors, registers - least)});
  return registers - spare;
}

// Returns the vectors of a tile.
int ChooseVectors(const BrgemmTileRequest& request, const Target& target, bool wide) {
  // Of rows that are too many for the cache a tall tile has no more than a usual one.
  const int64_t tallest = RowsInCache(request.a_row_stride, target);
  const int64_t vectors = Pieces(request.columns, wide ? 16 : 8);
  if (!wide) {
    // One or two rows leave the registers to all of a panel's columns, or half of them: it is read in long runs.
    const int64_t most = request.rows == 1 ? 8 : request.rows == 2 ? 4 : 2;
    return static_cast<int>(std::min(vectors, most));
  }
  const auto most = static_cast<int>(std::min<int64_t>(vectors, 4));
  // With few rows, tall tiles of half a panel read B half as often. Where FMAs are the limit anyway, that does not pay.
  const Microarch& microarch = target.microarch();
  const int usual = (32 - most - 1) / most;
  const bool few = request.rows > usual && request.rows <= kFewTiles * usual;
  const bool saves = Pieces(request.rows, usual) > std::max<int64_t>(2, Pieces(request.rows, tallest));
  if (few && most == 4 && microarch.fma512_per_cycle > 1 && saves) return 2;
  return most;
}

}  // namespace

int RowsInCache(int64_t stride, const Target& target) {
  if (stride == 0 || stride % kAliasBytes != 0) return std::numeric_limits<int>::max();
  const int64_t ways = target.caches().l1_data / kAliasBytes;
  return static_cast<int>(std::max<int64_t>(4, ways - 1));
}

BrgemmTile ChooseBrgemmTile(const BrgemmTileRequest& request, const Target& target) {
  BURIN_CHECK(request.columns >= 1) << "columns: " << request.columns;
  const bool wide = target.Supports(IsaLevel::kAvx512);
  BrgemmTile tile;
  tile.vectors = ChooseVectors(request, target, wide);
  const bool one_vector = tile.vectors == 1;
  tile.broadcast = wide && (one_vector || target.microarch().broadcast == BroadcastForm::kEmbedded)
                       ? BroadcastForm::kEmbedded
                       : BroadcastForm::kRegister;
  const int accumulators = Accumulators(wide ? 32 : 16, tile.vectors, tile.broadcast, request);
  int most = std::clamp(accumulators / tile.vectors, 1, BrgemmSpec::kMaxRows);
  most = std::min(most, RowsInCache(request.a_row_stride, target));
  tile.rows = request.rows > 0 ? static_cast<int>(std::min<int64_t>(most, request.rows)) : most;
  return tile;
}

RowSplit RowSplit::Of(int64_t count, int most) {
  BURIN_CHECK(count >= 0 && most >= 1) << "rows: " << count << " by " << most;
  RowSplit split;
  if (count == 0) return split;
  split.tiles = Pieces(count, most);
  split.rows = static_cast<int>(count / split.tiles);
  split.taller = count % split.tiles;
  return split;
}

}  // namespace burin::jit
