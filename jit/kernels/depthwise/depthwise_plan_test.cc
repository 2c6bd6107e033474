#include "jit/kernels/depthwise/depthwise_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "jit/isa/cache_info.h"
#include "jit/isa/isa.h"
#include "jit/isa/microarch.h"
#include "jit/isa/target.h"
#include "jit/kernels/convolution/activation_strides.h"
#include "jit/kernels/convolution/window.h"
#include "jit/kernels/depthwise/depthwise_spec.h"
#include "jit/kernels/epilogue_emitter.h"

namespace burin::jit {
namespace {

Target MakeTarget(IsaLevel level, MicroarchClass microarch) {
  CacheSizes caches;
  caches.l1_data = 32 << 10;
  caches.l2 = 1 << 20;
  caches.l3 = caches.l3_share = 32 << 20;
  return Target::ForTesting(IsaSet::From(level), Microarch::Of(microarch), caches).value();
}

DepthwiseSpec Make(int64_t channels, int64_t size, int64_t kernel, int64_t stride = 1, int64_t multiplier = 1) {
  DepthwiseSpec spec;
  spec.channels = channels;
  spec.multiplier = multiplier;
  spec.height = {size, (size - 1) / stride + 1, kernel, stride, 1, kernel / 2};
  spec.width = spec.height;
  spec.input = ActivationStrides::Dense(1, size, size, channels).value();
  spec.output = ActivationStrides::Dense(1, spec.height.output, spec.width.output, spec.output_channels()).value();
  return spec;
}

DepthwisePlan Plan(const DepthwiseSpec& spec, const Target& target) {
  return PlanDepthwise(spec, target, EpilogueRegisters());
}

std::vector<Target> AllTargets() {
  return {MakeTarget(IsaLevel::kAvx512, MicroarchClass::kZen4),
          MakeTarget(IsaLevel::kAvx512, MicroarchClass::kSapphireRapids),
          MakeTarget(IsaLevel::kAvx512, MicroarchClass::kUnknown), MakeTarget(IsaLevel::kAvx2, MicroarchClass::kZen4),
          MakeTarget(IsaLevel::kAvx2, MicroarchClass::kUnknown)};
}

TEST(DepthwisePlanTest, RowsAreCutEvenly) {
  const Target target = MakeTarget(IsaLevel::kAvx512, MicroarchClass::kZen4);
  EXPECT_EQ(Plan(Make(64, 112, 3), target).pixels, 8);
  EXPECT_EQ(Plan(Make(64, 28, 3), target).pixels, 7);
  EXPECT_EQ(Plan(Make(64, 9, 3), target).pixels, 5);
  EXPECT_EQ(Plan(Make(64, 1, 3), target).pixels, 1);
}

TEST(DepthwisePlanTest, StripsKeepTheMultipliersBusy) {
  // Of one 512-bit FMA a cycle four are under way, of two eight.
  EXPECT_EQ(Plan(Make(64, 7, 3), MakeTarget(IsaLevel::kAvx512, MicroarchClass::kZen4)).vectors, 1);
  EXPECT_EQ(Plan(Make(64, 2, 3), MakeTarget(IsaLevel::kAvx512, MicroarchClass::kZen4)).vectors, 2);
  EXPECT_EQ(Plan(Make(64, 2, 3), MakeTarget(IsaLevel::kAvx512, MicroarchClass::kSapphireRapids)).vectors, 4);
  // Not more than there are, nor where several channels see one.
  EXPECT_EQ(Plan(Make(32, 2, 3), MakeTarget(IsaLevel::kAvx512, MicroarchClass::kSapphireRapids)).vectors, 2);
  EXPECT_EQ(Plan(Make(32, 2, 3, 1, 2), MakeTarget(IsaLevel::kAvx512, MicroarchClass::kSapphireRapids)).vectors, 1);
}

TEST(DepthwisePlanTest, EverythingFitsIntoTheRegisters) {
  for (const Target& target : AllTargets()) {
    const int registers = target.Supports(IsaLevel::kAvx512) ? 32 : 16;
    for (const int64_t kernel : {1, 2, 3, 5, 7, 11, 31}) {
      for (const int64_t size : {1, 3, 7, 20, 100}) {
        for (const int of_epilogue : {0, 3, 9, 14, 40}) {
          EpilogueRegisters epilogue;
          epilogue.vectors = of_epilogue;
          const DepthwisePlan plan = PlanDepthwise(Make(100, size, kernel), target, epilogue);
          EXPECT_GE(plan.pixels, 1);
          EXPECT_LE(plan.pixels * plan.vectors + 4, registers);
          EXPECT_LE(plan.pixels * plan.vectors, std::max(1, registers - of_epilogue));
        }
      }
    }
  }
}

TEST(DepthwisePlanTest, LongRowsAreLoopedOver) {
  for (const Target& target : AllTargets()) {
    EXPECT_TRUE(Plan(Make(64, 56, 3), target).unrolls_rows);
    EXPECT_FALSE(Plan(Make(64, 56, 15), target).unrolls_rows);
    DepthwiseSpec line = Make(64, 56, 15);
    line.height = WindowAxis();
    EXPECT_TRUE(Plan(line, target).unrolls_rows);
  }
}

TEST(DepthwisePlanTest, TheRowsOfABlockStayInTheLevel1Cache) {
  const Target target = MakeTarget(IsaLevel::kAvx512, MicroarchClass::kZen4);
  // 3 rows of 28 pixels and 64 bytes, and 9 vectors of weights, four times over.
  EXPECT_EQ(Plan(Make(192, 28, 3), target).block_vectors, 4);
  EXPECT_EQ(Plan(Make(960, 7, 3), target).block_vectors, 12);
  // All that there are, and pairs of lines at least.
  EXPECT_EQ(Plan(Make(20, 7, 3), target).block_vectors, 2);
  EXPECT_EQ(Plan(Make(100, 100, 3), target).block_vectors, 2);
  EXPECT_EQ(Plan(Make(100, 100, 3), MakeTarget(IsaLevel::kAvx2, MicroarchClass::kZen4)).block_vectors, 4);
}

TEST(DepthwisePlanTest, OfLargeImagesTheRowsStayInTheLevel2Cache) {
  const Target target = MakeTarget(IsaLevel::kAvx512, MicroarchClass::kZen4);
  EXPECT_EQ(Plan(Make(288, 79, 3), target).block_vectors, 18);
  // 3 rows of 224 pixels and 64 bytes, and 9 vectors of weights, 12 times over.
  EXPECT_EQ(Plan(Make(960, 224, 3), target).block_vectors, 12);
}

TEST(DepthwisePlanTest, FetchesWhatIsNotInTheLevel2Cache) {
  for (const Target& target : AllTargets()) {
    EXPECT_GT(Plan(Make(144, 56, 3), target).fetched_ahead, 0);
    EXPECT_EQ(Plan(Make(192, 28, 3), target).fetched_ahead, 0);
    // The shorter a row is, the more of them.
    EXPECT_GT(Plan(Make(512, 30, 3), target).fetched_ahead, Plan(Make(64, 200, 5), target).fetched_ahead);
    DepthwiseSpec line = Make(4096, 1000, 3);
    line.height = WindowAxis();
    EXPECT_EQ(Plan(line, target).fetched_ahead, 0);
  }
}

TEST(DepthwisePlanTest, TakesAGivenTile) {
  for (const Target& target : AllTargets()) {
    const DepthwisePlan plan =
        PlanDepthwise(Make(192, 28, 3), target, EpilogueRegisters(), DepthwiseTile{3, 1, /*block_vectors=*/5});
    EXPECT_EQ(plan.pixels, 3);
    EXPECT_EQ(plan.vectors, 1);
    EXPECT_EQ(plan.block_vectors, 5);
  }
}

TEST(DepthwisePlanTest, CostGrowsWithTheWork) {
  for (const Target& target : AllTargets()) {
    const double cycles = DepthwiseCycles(Make(64, 56, 3), target);
    EXPECT_GT(cycles, 0);
    EXPECT_LT(DepthwiseCycles(Make(64, 14, 3), target), DepthwiseCycles(Make(64, 14, 7), target));
    EXPECT_LT(cycles, DepthwiseCycles(Make(128, 56, 3), target));
    // The arithmetic alone.
    const double rate = target.Supports(IsaLevel::kAvx512) ? 16.0 * target.microarch().fma512_per_cycle
                                                           : 8.0 * target.microarch().fma256_per_cycle;
    EXPECT_GE(cycles, Make(64, 56, 3).multiply_adds() / rate);
  }
  DepthwiseSpec empty = Make(64, 56, 3);
  empty.images = 0;
  EXPECT_EQ(DepthwiseCycles(empty, AllTargets()[0]), 0);
}

}  // namespace
}  // namespace burin::jit
