#include "jit/kernels/winograd/winograd_plan.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "jit/isa/cache_info.h"
#include "jit/isa/isa.h"
#include "jit/isa/microarch.h"
#include "jit/isa/target.h"
#include "jit/kernels/convolution/convolution_plan.h"
#include "jit/kernels/convolution/convolution_spec.h"
#include "jit/kernels/convolution/convolution_testlib.h"
#include "jit/kernels/convolution/window.h"
#include "jit/kernels/winograd/winograd_spec.h"

namespace burin::jit {
namespace {

Target Make(IsaLevel level, MicroarchClass microarch, int64_t l2, int64_t l3) {
  CacheSizes caches;
  caches.l2 = l2;
  caches.l3 = caches.l3_share = l3;
  return Target::ForTesting(IsaSet::From(level), Microarch::Of(microarch), caches).value();
}

Target Zen4() { return Make(IsaLevel::kAvx512, MicroarchClass::kZen4, 1 << 20, 32 << 20); }

Target Sapphire() { return Make(IsaLevel::kAvx512, MicroarchClass::kSapphireRapids, 2 << 20, 32 << 20); }

Target Unknown() { return Make(IsaLevel::kAvx2, MicroarchClass::kUnknown, 512 << 10, 4 << 20); }

ConvolutionSpec Layer(int64_t input_channels, int64_t output_channels, int64_t size) {
  const WindowAxis axis = PaddedAxis(size, 3, 1, 1, 1, 1);
  return MakeConvolution(1, input_channels, output_channels, 1, WindowAxis(), axis, axis);
}

// Returns how much faster than the direct way it is expected to be.
double Gain(const ConvolutionSpec& spec, const Target& target) {
  return ConvolutionCycles(spec, target) / WinogradCycles(spec, target);
}

TEST(WinogradPlanTest, BlocksStayInTheLevel2Cache) {
  for (const Target& target : {Zen4(), Sapphire(), Unknown()}) {
    for (const int64_t channels : {32, 64, 128, 256}) {
      // Weights that come from memory for each block are another matter.
      if (36 * channels * channels * 4 > target.caches().l3_share / 2) continue;
      const WinogradPlan plan = PlanWinograd(Layer(channels, channels, 56), target);
      EXPECT_LE(plan.scratch_bytes(), target.caches().l2 * 5 / 8 + (64 << 10)) << channels << target.ToString();
      EXPECT_GE(plan.block_tiles, plan.tile.rows) << channels;
    }
  }
}

// Weights that come from memory are read as rarely as can be.
TEST(WinogradPlanTest, BlocksAreLargeWhereWeightsAre) {
  const ConvolutionSpec spec = Layer(512, 512, 14);
  EXPECT_EQ(PlanWinograd(spec, Zen4()).block_tiles, 16);
  EXPECT_EQ(PlanWinograd(spec, Sapphire()).block_tiles, 16);
  EXPECT_GT(PlanWinograd(Layer(512, 512, 28), Sapphire()).block_tiles, 16);
}

TEST(WinogradPlanTest, RowsDoNotShareASetOfTheCache) {
  for (const int64_t channels : {48, 64, 512, 1024, 1030}) {
    const WinogradPlan plan = PlanWinograd(Layer(channels, channels, 28), Zen4());
    EXPECT_GE(plan.input_row, channels * 4);
    EXPECT_EQ(plan.input_row % 64, 0);
    EXPECT_NE(plan.input_row % 2048, 0);
    EXPECT_EQ(plan.input_plane / 64 % 2, 1);
    EXPECT_EQ(plan.sum_plane / 64 % 2, 1);
    EXPECT_GE(plan.input_plane, plan.block_tiles * plan.input_row);
    EXPECT_GE(plan.sum_plane, plan.block_tiles * plan.sum_row);
    EXPECT_EQ(plan.scratch_bytes(), 36 * (plan.input_plane + plan.sum_plane));
  }
}

TEST(WinogradPlanTest, ThereAreItemsToShare) {
  for (const Target& target : {Zen4(), Sapphire(), Unknown()}) {
    for (const int64_t size : {7, 14, 28}) {
      const ConvolutionSpec spec = Layer(512, 512, size);
      const WinogradPlan plan = PlanWinograd(spec, target);
      const int64_t blocks = (WinogradTiles(spec) + plan.block_tiles - 1) / plan.block_tiles;
      EXPECT_GE(blocks * ((8 + plan.group_panels - 1) / plan.group_panels), 8) << size;
    }
  }
}

TEST(WinogradPlanTest, FetchesWeightsWhereTheyComeTooSlowly) {
  const ConvolutionSpec spec = Layer(512, 512, 14);
  EXPECT_FALSE(PlanWinograd(spec, Zen4()).fetches_weights);
  EXPECT_TRUE(PlanWinograd(spec, Sapphire()).fetches_weights);
  EXPECT_TRUE(PlanWinograd(Layer(256, 256, 56), Sapphire()).fetches_weights);
  EXPECT_FALSE(PlanWinograd(Layer(64, 64, 14), Sapphire()).fetches_weights);
  // Narrow tiles of products read a part of each row of a panel.
  EXPECT_TRUE(PlanWinograd(spec, Zen4().WithCap(IsaLevel::kAvx2)).fetches_weights);
  EXPECT_FALSE(PlanWinograd(Layer(32, 32, 14), Zen4().WithCap(IsaLevel::kAvx2)).fetches_weights);
}

TEST(WinogradPlanTest, FetchesPixelsThatLevel2DoesNotKeep) {
  EXPECT_TRUE(PlanWinograd(Layer(128, 128, 112), Zen4()).fetches_pixels);
  EXPECT_FALSE(PlanWinograd(Layer(64, 64, 14), Zen4()).fetches_pixels);
}

TEST(WinogradPlanTest, CostSaysWhatIsFaster) {
  for (const Target& target : {Zen4(), Sapphire(), Unknown()}) {
    EXPECT_GT(Gain(Layer(128, 128, 28), target), 2) << target.ToString();
    EXPECT_GT(Gain(Layer(256, 256, 56), target), 2) << target.ToString();
  }
  // Four tiles to a panel of weights that come from memory.
  EXPECT_LT(Gain(Layer(512, 512, 7), Sapphire()), 1);
  EXPECT_LT(Gain(Layer(512, 512, 14), Sapphire()), 2);
  EXPECT_GT(Gain(Layer(256, 256, 14), Zen4()), 1.5);
  // Few channels pay for the transforms.
  EXPECT_LT(Gain(Layer(3, 8, 56), Zen4()), Gain(Layer(64, 64, 56), Zen4()));
}

TEST(WinogradPlanTest, EmptyOnesCostNothing) {
  EXPECT_EQ(WinogradCycles(Layer(8, 0, 14), Zen4()), 0);
  ConvolutionSpec spec = Layer(8, 8, 14);
  spec.images = 0;
  EXPECT_EQ(WinogradCycles(spec, Zen4()), 0);
  EXPECT_GE(PlanWinograd(spec, Zen4()).block_tiles, 1);
  EXPECT_GT(WinogradCycles(Layer(0, 8, 14), Zen4()), 0);
}

}  // namespace
}  // namespace burin::jit
