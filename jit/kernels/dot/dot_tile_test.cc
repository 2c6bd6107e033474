#include "jit/kernels/dot/dot_tile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>

#include "jit/isa/cache_info.h"
#include "jit/isa/isa.h"
#include "jit/isa/microarch.h"
#include "jit/isa/target.h"
#include "jit/kernels/dot/dot_spec.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

Target TargetOf(IsaLevel level, MicroarchClass id) {
  CacheSizes caches;
  caches.l2 = 1 << 20;
  caches.l3 = caches.l3_share = 32 << 20;
  return *Target::ForTesting(IsaSet::From(level), Microarch::Of(id), caches);
}

TEST(DotTileTest, EveryTileIsOneThatThereIs) {
  for (const Target& target :
       {TargetOf(IsaLevel::kAvx2, MicroarchClass::kHaswell), TargetOf(IsaLevel::kAvx512, MicroarchClass::kZen4)}) {
    for (int64_t rows = 1; rows < 20; ++rows) {
      for (int64_t columns = 1; columns < 20; ++columns) {
        const DotTile tile = ChooseDotTile(rows, columns, target);
        DotSpec spec;
        spec.rows = tile.rows;
        spec.group = tile.group;
        EXPECT_OK(spec.Validate(target.isa())) << rows << "x" << columns;
        EXPECT_LE(tile.rows, rows);
        EXPECT_LE(tile.group, columns);
      }
    }
  }
}

TEST(DotTileTest, FewRowsLeaveTheRegistersToColumns) {
  const Target wide = TargetOf(IsaLevel::kAvx512, MicroarchClass::kZen4);
  EXPECT_EQ(ChooseDotTile(1, 1000, wide).group, 8);
  EXPECT_EQ(ChooseDotTile(4, 1000, wide).rows, 4);
  EXPECT_EQ(ChooseDotTile(4, 1000, wide).group, 4);
  EXPECT_EQ(ChooseDotTile(100, 1, wide).rows, DotSpec::kMaxRows);
  const Target narrow = TargetOf(IsaLevel::kAvx2, MicroarchClass::kHaswell);
  EXPECT_EQ(ChooseDotTile(1, 1000, narrow).group, 4);
  EXPECT_EQ(ChooseDotTile(2, 1000, narrow).group, 2);
  EXPECT_EQ(ChooseDotTile(4, 1000, narrow).rows, 3);
  EXPECT_EQ(ChooseDotTile(4, 1000, narrow).group, 2);
}

TEST(DotTileTest, CyclesAreThoseOfWhatIsSlower) {
  const Target target = TargetOf(IsaLevel::kAvx512, MicroarchClass::kZen4);
  // One row reads B; four rows of A that stay in the level 1 cache take an FMA each.
  EXPECT_NEAR(DotCycles(1, 64, 1600, 8, target), 64 * (100 * 8.0 + 4), 1);
  EXPECT_NEAR(DotCycles(4, 64, 800, 32, target), 64 * (50 * 4.0 + 16), 1);
  EXPECT_EQ(DotCycles(0, 64, 800, 32, target), 0);
  EXPECT_GT(DotCycles(8, 64, 800, 32, target), 1.9 * DotCycles(4, 64, 800, 32, target));
}

}  // namespace
}  // namespace burin::jit
