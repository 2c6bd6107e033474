#include "jit/kernels/gemm/gemm_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#include "jit/isa/cache_info.h"
#include "jit/isa/isa.h"
#include "jit/isa/microarch.h"
#include "jit/isa/target.h"
#include "jit/kernels/brgemm/brgemm_tile.h"
#include "jit/kernels/epilogue_emitter.h"
#include "jit/kernels/gemm/gemm_spec.h"

namespace burin::jit {
namespace {

Target TargetOf(IsaLevel level, MicroarchClass id, int64_t l2, int64_t l3_share) {
  CacheSizes caches;
  caches.l2 = l2;
  caches.l3 = caches.l3_share = l3_share;
  return *Target::ForTesting(IsaSet::From(level), Microarch::Of(id), caches);
}

Target Zen4() { return TargetOf(IsaLevel::kAvx512, MicroarchClass::kZen4, 1 << 20, 32 << 20); }
Target SapphireRapids() { return TargetOf(IsaLevel::kAvx512, MicroarchClass::kSapphireRapids, 2 << 20, 32 << 20); }
Target Narrow() { return TargetOf(IsaLevel::kAvx2, MicroarchClass::kHaswell, 256 << 10, 8 << 20); }

GemmPlan PlanOf(const GemmSpec& spec, const Target& target) { return GemmPlan::Of(spec, EpilogueRegisters(), target); }

TEST(GemmPlanTest, PackedB) {
  const GemmSpec spec = GemmSpec::Packed(384, 768, 768);
  const GemmPlan zen4 = PlanOf(spec, Zen4());
  EXPECT_EQ(zen4.source, GemmSource::kPanels);
  ASSERT_EQ(zen4.whole_strip.size(), 1);
  EXPECT_EQ(zen4.whole_strip[0].tile, (BrgemmTile{7, 4, BroadcastForm::kEmbedded}));
  EXPECT_TRUE(zen4.last_strip.empty());
  EXPECT_EQ(zen4.chunk_steps, 768);
  // All rows are one block, and the processor fetches early by itself.
  EXPECT_GE(zen4.block_rows, 384);
  EXPECT_EQ(zen4.prefetch_lines, 0);
  EXPECT_TRUE(zen4.prefetch_c);
  EXPECT_FALSE(PlanOf(GemmSpec::Packed(64, 64, 64), Zen4()).prefetch_c);
  const GemmPlan sapphire_rapids = PlanOf(spec, SapphireRapids());
  EXPECT_EQ(sapphire_rapids.whole_strip[0].tile, (BrgemmTile{6, 4, BroadcastForm::kRegister}));
  EXPECT_EQ(sapphire_rapids.block_rows, (512 << 10) / 4 / 768);
  EXPECT_GT(sapphire_rapids.prefetch_lines, 0);
  // Four parts of 16 columns.
  const GemmPlan narrow = PlanOf(spec, Narrow());
  EXPECT_EQ(narrow.whole_strip.size(), 4);
  EXPECT_EQ(narrow.whole_strip[3].first, 48);
}

TEST(GemmPlanTest, LongSumsAreCutWhereRowsReadThemAgain) {
  const GemmSpec spec = GemmSpec::Packed(384, 1024, 4096);
  EXPECT_EQ(PlanOf(spec, Zen4()).Chunks(spec), 4);
  EXPECT_EQ(PlanOf(spec, SapphireRapids()).Chunks(spec), 4);
  const GemmSpec few = GemmSpec::Packed(4, 1024, 4096);
  EXPECT_EQ(PlanOf(few, Zen4()).Chunks(few), 1);
  EXPECT_EQ(PlanOf(few, Zen4()).prefetch_lines, 0);
  const GemmSpec odd = GemmSpec::Packed(384, 1024, 2500);
  EXPECT_EQ(PlanOf(odd, Zen4()).chunk_steps, 840);
}

TEST(GemmPlanTest, TheLastStripHasTilesOfItsOwn) {
  const GemmPlan plan = PlanOf(GemmSpec::Packed(384, 64 + 20, 768), Zen4());
  ASSERT_EQ(plan.last_strip.size(), 1);
  EXPECT_EQ(plan.last_strip[0].tile.vectors, 2);
  EXPECT_GE(plan.last_strip[0].tile.rows, 14);
  EXPECT_EQ(plan.last_strip[0].last_columns, 4);
}

TEST(GemmPlanTest, PlainBIsReadInPlaceWhereThatIsOnce) {
  const GemmPlan few = PlanOf(GemmSpec::Plain(1, 4096, 4096), Zen4());
  EXPECT_EQ(few.source, GemmSource::kInPlace);
  EXPECT_EQ(few.whole_strip[0].tile, (BrgemmTile{1, 4, BroadcastForm::kEmbedded}));
  EXPECT_TRUE(few.along_strips);
  EXPECT_EQ(few.chunk_steps, 8);
  // What fits a cache is read down the columns.
  const GemmPlan near = PlanOf(GemmSpec::Plain(1, 256, 256), Zen4());
  EXPECT_FALSE(near.along_strips);
  EXPECT_EQ(near.whole_strip[0].tile.vectors, 16);
  EXPECT_EQ(PlanOf(GemmSpec::Plain(16, 4096, 4096), Zen4()).source, GemmSource::kInPlace);
  // A strip of small matrices stays in the cache as it is; rows that are pages apart do not.
  EXPECT_EQ(PlanOf(GemmSpec::Plain(64, 64, 64), Zen4()).source, GemmSource::kInPlace);
  EXPECT_EQ(PlanOf(GemmSpec::Plain(384, 4096, 4096), Zen4()).source, GemmSource::kScratch);
  GemmSpec transposed = GemmSpec::Plain(64, 64, 64);
  transposed.b_depth_stride = 4;
  transposed.b_column_stride = 256;
  EXPECT_EQ(PlanOf(transposed, Zen4()).source, GemmSource::kScratch);
}

// Few rows of a transposed B are dot products; more are worth packing it, and so is an A that does not lie along the
// sum.
TEST(GemmPlanTest, FewRowsOfTransposedBAreDotProducts) {
  const auto transposed = [](int64_t m, int64_t n, int64_t k) {
    GemmSpec spec = GemmSpec::Plain(m, n, k);
    spec.b_depth_stride = 4;
    spec.b_column_stride = 4 * k;
    return spec;
  };
  for (const Target& target : {Zen4(), SapphireRapids(), Narrow()}) {
    for (const int64_t m : {1, 2}) {
      EXPECT_EQ(PlanOf(transposed(m, 4096, 4096), target).source, GemmSource::kDot);
      EXPECT_EQ(PlanOf(transposed(m, 500, 64), target).source, GemmSource::kDot);
    }
    EXPECT_EQ(PlanOf(transposed(64, 512, 64), target).source, GemmSource::kScratch);
    EXPECT_EQ(PlanOf(transposed(400, 768, 768), target).source, GemmSource::kScratch);
    GemmSpec both = transposed(2, 500, 64);
    both.a_row_stride = 4;
    both.a_depth_stride = 8;
    EXPECT_EQ(PlanOf(both, target).source, GemmSource::kScratch);
  }
  const GemmPlan four = PlanOf(transposed(4, 4096, 4096), Zen4());
  EXPECT_EQ(four.source, GemmSource::kDot);
  ASSERT_EQ(four.whole_strip.size(), 1);
  EXPECT_EQ(four.whole_strip[0].tile.rows, 4);
  EXPECT_EQ(four.whole_strip[0].tile.vectors, 4);
  EXPECT_EQ(four.strip_columns, 64);
  EXPECT_EQ(four.chunk_steps, 4096);
  // What no near cache holds is fetched early.
  EXPECT_EQ(four.prefetch_lines, 1);
  EXPECT_EQ(PlanOf(transposed(4, 500, 64), Zen4()).prefetch_lines, 0);
}

TEST(GemmPlanTest, TakesAGivenTileForWholeStrips) {
  const Target target = Zen4();
  const BrgemmTile tile = {5, 2, BroadcastForm::kEmbedded};
  const GemmPlan plan = GemmPlan::Of(GemmSpec::Packed(200, 100, 50), EpilogueRegisters(), target, tile);
  ASSERT_EQ(plan.whole_strip.size(), 2u);
  for (const GemmColumns& part : plan.whole_strip) EXPECT_TRUE(part.tile == tile);
  // One tile has all rows of B in place.
  EXPECT_EQ(GemmPlan::Of(GemmSpec::Plain(1, 100, 50), EpilogueRegisters(), target, tile).whole_strip[0].tile.rows, 1);
}

TEST(GemmPlanTest, SizesMayBeZero) {
  for (const auto& [m, n, k] : {std::array<int64_t, 3>{0, 5, 5}, {0, 4096, 4096}, {5, 0, 5}, {5, 5, 0}, {0, 0, 0}}) {
    for (const Target& target : {Zen4(), Narrow()}) {
      const GemmPlan packed = PlanOf(GemmSpec::Packed(m, n, k), target);
      EXPECT_GE(packed.chunk_steps, 1);
      EXPECT_GE(PlanOf(GemmSpec::Plain(m, n, k), target).block_rows, 1);
    }
  }
}

TEST(GemmPlanTest, CyclesAreThoseOfWhatIsSlower) {
  EXPECT_NEAR(GemmCycles(GemmSpec::Packed(512, 512, 512), Zen4()), 512.0 * 512 * 512 / 16, 1);
  EXPECT_NEAR(GemmCycles(GemmSpec::Packed(512, 512, 512), SapphireRapids()), 512.0 * 512 * 512 / 32, 1);
  // 64 MiB of B come from memory.
  EXPECT_GT(GemmCycles(GemmSpec::Packed(1, 4096, 4096), Zen4()), 4096.0 * 4096 * 4 / 18);
}

}  // namespace
}  // namespace burin::jit
