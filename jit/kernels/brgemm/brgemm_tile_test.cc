#include "jit/kernels/brgemm/brgemm_tile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>

#include "jit/isa/cache_info.h"
#include "jit/isa/isa.h"
#include "jit/isa/microarch.h"
#include "jit/isa/target.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

Target TargetOf(IsaLevel level, MicroarchClass id, int64_t l1_data = 32 << 10) {
  CacheSizes caches;
  caches.l1_data = l1_data;
  return *Target::ForTesting(IsaSet::From(level), Microarch::Of(id), caches);
}

TEST(BrgemmTileTest, WholePanels) {
  const BrgemmTileRequest request;
  EXPECT_EQ(ChooseBrgemmTile(request, TargetOf(IsaLevel::kAvx512, MicroarchClass::kZen4)),
            (BrgemmTile{7, 4, BroadcastForm::kEmbedded}));
  for (const MicroarchClass id : {MicroarchClass::kSapphireRapids, MicroarchClass::kUnknown, MicroarchClass::kZen5}) {
    EXPECT_EQ(ChooseBrgemmTile(request, TargetOf(IsaLevel::kAvx512, id)), (BrgemmTile{6, 4, BroadcastForm::kRegister}));
  }
  EXPECT_EQ(ChooseBrgemmTile(request, TargetOf(IsaLevel::kAvx2, MicroarchClass::kHaswell)),
            (BrgemmTile{6, 2, BroadcastForm::kRegister}));
}

TEST(BrgemmTileTest, NarrowStripsHaveTallTiles) {
  BrgemmTileRequest request;
  request.columns = 30;
  EXPECT_EQ(ChooseBrgemmTile(request, TargetOf(IsaLevel::kAvx512, MicroarchClass::kSapphireRapids)),
            (BrgemmTile{14, 2, BroadcastForm::kRegister}));
  request.columns = 16;
  EXPECT_EQ(ChooseBrgemmTile(request, TargetOf(IsaLevel::kAvx512, MicroarchClass::kSapphireRapids)),
            (BrgemmTile{28, 1, BroadcastForm::kEmbedded}));
  // Rows that are pages apart share a set of the cache: as many of them as it has ways, but one, which B passes
  // through.
  request.a_row_stride = 16384;
  EXPECT_EQ(ChooseBrgemmTile(request, TargetOf(IsaLevel::kAvx512, MicroarchClass::kSapphireRapids, 48 << 10)).rows, 11);
  EXPECT_EQ(ChooseBrgemmTile(request, TargetOf(IsaLevel::kAvx512, MicroarchClass::kZen4)).rows, 7);
}

TEST(BrgemmTileTest, RowsInTheCache) {
  const Target target = TargetOf(IsaLevel::kAvx512, MicroarchClass::kSapphireRapids, 48 << 10);
  EXPECT_EQ(RowsInCache(4096, target), 11);
  EXPECT_EQ(RowsInCache(3 * 4096, target), 11);
  EXPECT_GT(RowsInCache(4096 + 64, target), 28);
  EXPECT_GT(RowsInCache(0, target), 28);
}

TEST(BrgemmTileTest, FewRowsReadPanelsLessOftenWhereTwoFmasWait) {
  BrgemmTileRequest request;
  request.rows = 16;
  EXPECT_EQ(ChooseBrgemmTile(request, TargetOf(IsaLevel::kAvx512, MicroarchClass::kSapphireRapids)),
            (BrgemmTile{14, 2, BroadcastForm::kRegister}));
  EXPECT_EQ(ChooseBrgemmTile(request, TargetOf(IsaLevel::kAvx512, MicroarchClass::kZen4)).vectors, 4);
  // Where a tall tile has no more rows than a usual one, there is nothing to win.
  request.a_row_stride = 16384;
  EXPECT_EQ(ChooseBrgemmTile(request, TargetOf(IsaLevel::kAvx512, MicroarchClass::kSapphireRapids, 48 << 10)),
            (BrgemmTile{11, 2, BroadcastForm::kRegister}));
  EXPECT_EQ(ChooseBrgemmTile(request, TargetOf(IsaLevel::kAvx512, MicroarchClass::kSkylakeServer)),
            (BrgemmTile{6, 4, BroadcastForm::kRegister}));
  request.a_row_stride = 0;
  request.rows = 3;
  EXPECT_EQ(ChooseBrgemmTile(request, TargetOf(IsaLevel::kAvx512, MicroarchClass::kSapphireRapids)),
            (BrgemmTile{3, 4, BroadcastForm::kRegister}));
}

TEST(BrgemmTileTest, OneRowReadsWholePanels) {
  BrgemmTileRequest request;
  request.rows = 1;
  EXPECT_EQ(ChooseBrgemmTile(request, TargetOf(IsaLevel::kAvx2, MicroarchClass::kHaswell)),
            (BrgemmTile{1, 8, BroadcastForm::kRegister}));
  request.rows = 2;
  EXPECT_EQ(ChooseBrgemmTile(request, TargetOf(IsaLevel::kAvx2, MicroarchClass::kHaswell)),
            (BrgemmTile{2, 4, BroadcastForm::kRegister}));
}

TEST(BrgemmTileTest, TheEpilogueHasItsRegisters) {
  BrgemmTileRequest request;
  request.epilogue_vectors = 8;
  EXPECT_EQ(ChooseBrgemmTile(request, TargetOf(IsaLevel::kAvx512, MicroarchClass::kZen4)).rows, 6);
  // What it wants beyond goes to the stack.
  request.epilogue_vectors = 30;
  EXPECT_EQ(ChooseBrgemmTile(request, TargetOf(IsaLevel::kAvx512, MicroarchClass::kZen4)).rows, 5);
  EXPECT_EQ(ChooseBrgemmTile(request, TargetOf(IsaLevel::kAvx2, MicroarchClass::kHaswell)).rows, 6);
}

// Accumulators of long sums go to the stack for it.
TEST(BrgemmTileTest, LongSumsKeepTheirTileWhateverTheEpilogueWants) {
  BrgemmTileRequest request;
  request.depth = 4000;
  const Target wide = TargetOf(IsaLevel::kAvx512, MicroarchClass::kZen4);
  const Target narrow = TargetOf(IsaLevel::kAvx2, MicroarchClass::kHaswell);
  const BrgemmTile wide_tile = ChooseBrgemmTile(request, wide);
  const BrgemmTile narrow_tile = ChooseBrgemmTile(request, narrow);
  request.epilogue_vectors = 14;
  request.epilogue_least = 6;
  EXPECT_EQ(ChooseBrgemmTile(request, wide), wide_tile);
  EXPECT_EQ(ChooseBrgemmTile(request, narrow), narrow_tile);
}

TEST(BrgemmTileTest, TheEpilogueHasWhatItCannotDoWithout) {
  BrgemmTileRequest request;
  request.epilogue_least = 12;
  EXPECT_EQ(ChooseBrgemmTile(request, TargetOf(IsaLevel::kAvx512, MicroarchClass::kZen4)).rows, 5);
  EXPECT_EQ(ChooseBrgemmTile(request, TargetOf(IsaLevel::kAvx2, MicroarchClass::kHaswell)).rows, 2);
}

TEST(BrgemmTileTest, RowsAreDealtEvenly) {
  const RowSplit split = RowSplit::Of(64, 7);
  EXPECT_EQ(split.tiles, 10);
  EXPECT_EQ(split.rows, 6);
  EXPECT_EQ(split.taller, 4);
  EXPECT_EQ(split.First(5), 34);
  int64_t rows = 0;
  for (int64_t i = 0; i < split.tiles; ++i) {
    EXPECT_EQ(split.First(i), rows);
    rows += split.RowsOf(i);
  }
  EXPECT_EQ(rows, 64);
  EXPECT_EQ(RowSplit::Of(0, 7).tiles, 0);
  EXPECT_EQ(RowSplit::Of(5, 7).rows, 5);
}

}  // namespace
}  // namespace burin::jit
