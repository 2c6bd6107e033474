#include "tools/kernel_bench/families/dense/tile_candidates.h"

#include <algorithm>

#include "jit/isa/isa.h"
#include "jit/isa/microarch.h"
#include "jit/kernels/brgemm/brgemm_spec.h"

namespace burin::kernel_bench {
namespace {

constexpr int64_t kMostVectors = 4;

// Returns the most rows of a tile, up to `rows`; 0 where there is no such tile.
int MostRows(jit::BrgemmTile tile, int64_t rows, const jit::Target& target) {
  jit::BrgemmSpec spec;
  spec.vectors = tile.vectors;
  spec.broadcast = tile.broadcast;
  for (spec.rows = static_cast<int>(std::min<int64_t>(rows, jit::BrgemmSpec::kMaxRows)); spec.rows > 0; --spec.rows) {
    if (spec.Validate(target.isa()).ok()) return spec.rows;
  }
  return 0;
}

}  // namespace

std::vector<jit::BrgemmTile> TileCandidates(int64_t rows, int64_t columns, const jit::Target& target) {
  const bool wide = target.Supports(jit::IsaLevel::kAvx512);
  const int64_t lanes = wide ? 16 : 8;
  std::vector<jit::BrgemmTile> tiles;
  for (int64_t vectors = 1; vectors <= std::min(kMostVectors, (columns + lanes - 1) / lanes); ++vectors) {
    for (const jit::BroadcastForm form : {jit::BroadcastForm::kEmbedded, jit::BroadcastForm::kRegister}) {
      if (!wide && form == jit::BroadcastForm::kEmbedded) continue;
      jit::BrgemmTile tile = {1, static_cast<int>(vectors), form};
      const int most = MostRows(tile, rows, target);
      for (const int fewer : {0, 1, 2, most / 2}) {
        tile.rows = most - fewer;
        if (tile.rows < 1 || std::find(tiles.begin(), tiles.end(), tile) != tiles.end()) continue;
        tiles.push_back(tile);
      }
    }
  }
  return tiles;
}

}  // namespace burin::kernel_bench
