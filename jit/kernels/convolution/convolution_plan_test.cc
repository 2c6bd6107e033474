#include "jit/kernels/convolution/convolution_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "jit/isa/cache_info.h"
#include "jit/isa/isa.h"
#include "jit/isa/microarch.h"
#include "jit/isa/target.h"
#include "jit/kernels/brgemm/brgemm_tile.h"
#include "jit/kernels/convolution/convolution_spec.h"
#include "jit/kernels/convolution/convolution_testlib.h"
#include "jit/kernels/convolution/pixel_tiles.h"
#include "jit/kernels/convolution/window.h"
#include "jit/kernels/epilogue_emitter.h"

namespace burin::jit {
namespace {

Target MakeTarget(IsaLevel level, MicroarchClass microarch, int64_t l1, int64_t l2) {
  CacheSizes caches;
  caches.l1_data = l1;
  caches.l2 = l2;
  caches.l3 = caches.l3_share = 32 << 20;
  return Target::ForTesting(IsaSet::From(level), Microarch::Of(microarch), caches).value();
}

Target Zen4() { return MakeTarget(IsaLevel::kAvx512, MicroarchClass::kZen4, 32 << 10, 1 << 20); }

Target EmeraldRapids() { return MakeTarget(IsaLevel::kAvx512, MicroarchClass::kSapphireRapids, 48 << 10, 2 << 20); }

std::vector<Target> AllTargets() {
  return {Zen4(), EmeraldRapids(), MakeTarget(IsaLevel::kAvx512, MicroarchClass::kUnknown, 32 << 10, 512 << 10),
          MakeTarget(IsaLevel::kAvx2, MicroarchClass::kZen4, 32 << 10, 1 << 20),
          MakeTarget(IsaLevel::kAvx2, MicroarchClass::kUnknown, 32 << 10, 512 << 10)};
}

ConvolutionSpec Make(int64_t input_channels, int64_t output_channels, int64_t size, int64_t kernel, int64_t stride) {
  const WindowAxis axis = PaddedAxis(size, kernel, stride, 1, kernel / 2, kernel / 2);
  return MakeConvolution(1, input_channels, output_channels, 1, WindowAxis(), axis, axis);
}

ConvolutionPlan Plan(const ConvolutionSpec& spec, const Target& target) {
  return PlanConvolution(spec.Flattened(), target, EpilogueRegisters());
}

TEST(ConvolutionPlanTest, TilesDivideTheWidth) {
  for (const int64_t size : {56, 28, 14, 7}) {
    const ConvolutionPlan plan = Plan(Make(128, 128, size, 3, 1), Zen4());
    EXPECT_EQ(plan.tile.rows, 7);
    EXPECT_EQ(plan.tile.vectors, 4);
    EXPECT_EQ(plan.tile.broadcast, BroadcastForm::kEmbedded);
    EXPECT_EQ(plan.cut.split.tiles, size / 7);
    EXPECT_EQ(plan.cut.split.rows, 7);
  }
}

TEST(ConvolutionPlanTest, RowsThatTilesDoNotDivideTakeHalfAsManyColumns) {
  // With two FMAs a cycle, weights for 3 or 4 pixels at a time do not come fast enough.
  const ConvolutionPlan plan = Plan(Make(512, 512, 7, 3, 1), EmeraldRapids());
  EXPECT_EQ(plan.tile.vectors, 2);
  EXPECT_TRUE(plan.cut.whole_rows);
  EXPECT_EQ(plan.tile.broadcast, BroadcastForm::kRegister);
}

TEST(ConvolutionPlanTest, TallTilesAreForPixelsThatStayInTheFirstCache) {
  const Target small = MakeTarget(IsaLevel::kAvx512, MicroarchClass::kSkylakeServer, 32 << 10, 1 << 20);
  // 14 pixels of 1 KiB stay, and of 2 KiB in the larger cache alone.
  EXPECT_EQ(Plan(Make(256, 256, 14, 1, 1), small).tile.vectors, 2);
  EXPECT_EQ(Plan(Make(512, 256, 14, 1, 1), small).tile.vectors, 4);
  EXPECT_EQ(Plan(Make(512, 256, 14, 1, 1), EmeraldRapids()).tile.vectors, 2);
  // Pixels that lie pages apart displace each other.
  EXPECT_EQ(Plan(Make(1024, 256, 14, 1, 1), small).tile.vectors, 4);
  EXPECT_EQ(Plan(Make(512, 1024, 28, 1, 2), small).tile.vectors, 4);
  // Tiles of 3 or 4 pixels would wait for weights all the time.
  EXPECT_EQ(Plan(Make(512, 512, 7, 3, 1), small).tile.vectors, 2);
}

TEST(ConvolutionPlanTest, SmallWeightsStayWhileThePixelsPass) {
  for (const Target& target : AllTargets()) {
    EXPECT_TRUE(Plan(Make(64, 64, 56, 1, 1), target).pixels_first);
    EXPECT_FALSE(Plan(Make(512, 512, 14, 3, 1), target).pixels_first);
  }
}

TEST(ConvolutionPlanTest, ChunksAreForWhereTheLastCacheIsSlow) {
  const ConvolutionSpec spec = Make(512, 512, 7, 3, 1);
  const ConvolutionPlan zen4 = Plan(spec, Zen4());
  EXPECT_EQ(zen4.chunk_steps, spec.steps());
  EXPECT_FALSE(zen4.fetches_weights);
  const ConvolutionPlan emerald_rapids = Plan(spec, EmeraldRapids());
  EXPECT_TRUE(emerald_rapids.fetches_weights);
  // An eighth of the level 2 cache: two taps of the nine, of 128 KiB each.
  EXPECT_EQ(emerald_rapids.chunk_steps, 1024);
  // Parts of a tap where that is larger.
  EXPECT_EQ(Plan(Make(4096, 512, 7, 1, 1), EmeraldRapids()).chunk_steps, 1024);
}

TEST(ConvolutionPlanTest, EveryoneHasSomethingToDo) {
  for (const Target& target : AllTargets()) {
    for (const ConvolutionSpec& spec : {Make(64, 64, 56, 3, 1), Make(512, 512, 7, 3, 1), Make(64, 2048, 7, 1, 1),
                                        Make(2048, 64, 7, 1, 1), Make(3, 64, 224, 7, 2)}) {
      const ConvolutionSpec flat = spec.Flattened();
      const ConvolutionPlan plan = Plan(spec, target);
      const int64_t tiles = plan.cut.TilesOfPlane(flat.height.output);
      const int64_t panels = (spec.output_channels + 63) / 64;
      EXPECT_LE(plan.item_tiles, tiles);
      EXPECT_LE(plan.item_panels, panels);
      const int64_t items = ((tiles - 1) / plan.item_tiles + 1) * ((panels - 1) / plan.item_panels + 1);
      EXPECT_GE(items, std::min<int64_t>(4, tiles * panels));
    }
  }
}

TEST(ConvolutionPlanTest, LeavesRegistersToTheEpilogue) {
  for (const Target& target : AllTargets()) {
    EpilogueRegisters epilogue;
    epilogue.vectors = 6;
    const ConvolutionPlan plan = PlanConvolution(Make(64, 64, 56, 1, 1), target, epilogue);
    const int registers = target.Supports(IsaLevel::kAvx512) ? 32 : 16;
    EXPECT_LE(plan.tile.rows * plan.tile.vectors + std::min(6, registers - 12), registers);
  }
}

TEST(ConvolutionPlanTest, TakesAGivenTile) {
  for (const Target& target : AllTargets()) {
    const BrgemmTile tile = {3, 1, BroadcastForm::kRegister};
    const ConvolutionPlan plan = PlanConvolution(Make(64, 64, 56, 3, 1), target, EpilogueRegisters(), tile);
    EXPECT_TRUE(plan.tile == tile);
    EXPECT_EQ(plan.cut.TilesOfPlane(56), PixelCut::Of(56, 56, 3).TilesOfPlane(56));
  }
}

TEST(ConvolutionPlanTest, CostGrowsWithTheWork) {
  for (const Target& target : AllTargets()) {
    const double cycles = ConvolutionCycles(Make(64, 64, 28, 3, 1), target);
    const double rate = target.Supports(IsaLevel::kAvx512) ? 16.0 * target.microarch().fma512_per_cycle
                                                           : 8.0 * target.microarch().fma256_per_cycle;
    EXPECT_GE(cycles, Make(64, 64, 28, 3, 1).multiply_adds() / rate);
    EXPECT_LT(cycles, ConvolutionCycles(Make(64, 64, 28, 5, 1), target));
    EXPECT_LT(cycles, ConvolutionCycles(Make(64, 80, 28, 3, 1), target));
    // Weights from beyond the caches cost more than the products of a few pixels.
    const ConvolutionSpec far = Make(4096, 4096, 1, 1, 1);
    EXPECT_GT(ConvolutionCycles(far, target), 2 * far.multiply_adds() / rate);
  }
}

}  // namespace
}  // namespace burin::jit
