#include "tools/kernel_bench/families/dense/tile_candidates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jit/isa/isa.h"
#include "jit/isa/microarch.h"
#include "jit/isa/target.h"
#include "jit/kernels/brgemm/brgemm_spec.h"
#include "jit/kernels/brgemm/brgemm_tile.h"

namespace burin::kernel_bench {
namespace {

TEST(TileCandidatesTest, AllFitTheRegisters) {
  const jit::Target host = jit::Target::Host().value();
  for (const jit::Target& target : {host, host.WithCap(jit::IsaLevel::kAvx2)}) {
    for (const int64_t rows : {1, 5, 1000}) {
      const std::vector<jit::BrgemmTile> tiles = TileCandidates(rows, 64, target);
      EXPECT_FALSE(tiles.empty());
      for (const jit::BrgemmTile& tile : tiles) {
        jit::BrgemmSpec spec;
        spec.rows = tile.rows;
        spec.vectors = tile.vectors;
        spec.broadcast = tile.broadcast;
        EXPECT_TRUE(spec.Validate(target.isa()).ok()) << tile.rows << " x " << tile.vectors;
        EXPECT_LE(tile.rows, rows);
      }
    }
  }
}

TEST(TileCandidatesTest, HasWhatIsUsual) {
  const jit::Target narrow = jit::Target::Host().value().WithCap(jit::IsaLevel::kAvx2);
  const jit::BrgemmTile usual = {6, 2, jit::BroadcastForm::kRegister};
  EXPECT_THAT(TileCandidates(1000, 64, narrow), ::testing::Contains(usual));
  for (const jit::BrgemmTile& tile : TileCandidates(1000, 8, narrow)) EXPECT_EQ(tile.vectors, 1);
}

}  // namespace
}  // namespace burin::kernel_bench
