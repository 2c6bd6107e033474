#include "jit/kernels/pooling/pooling_plan.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "jit/isa/cache_info.h"
#include "jit/isa/isa.h"
#include "jit/isa/microarch.h"
#include "jit/isa/target.h"
#include "jit/kernels/epilogue_emitter.h"
#include "jit/kernels/pooling/pooling_spec.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

PoolingSpec Square(int64_t size, int64_t channels, int64_t kernel, int64_t stride, int64_t pad) {
  PoolingSpec spec;
  spec.channels = channels;
  for (size_t i = 1; i < 3; ++i) {
    PoolingAxis& axis = spec.axes[i];
    axis.input = size;
    axis.kernel = kernel;
    axis.stride = stride;
    axis.pad_begin = axis.pad_end = pad;
    axis.output = (size + 2 * pad - kernel) / stride + 1;
  }
  spec.SetDenseStrides();
  return spec;
}

Target Make(IsaLevel level, MicroarchClass id, int64_t l1 = 32 << 10) {
  CacheSizes caches;
  caches.l1_data = l1;
  return *Target::ForTesting(IsaSet::From(level), Microarch::Of(id), caches);
}

TEST(PoolingPlanTest, StripsFitTheRegisters) {
  for (const Target& target :
       {Make(IsaLevel::kAvx512, MicroarchClass::kZen4),
        Make(IsaLevel::kAmxBf16, MicroarchClass::kSapphireRapids, 48 << 10),
        Make(IsaLevel::kAvx512, MicroarchClass::kUnknown), Make(IsaLevel::kAvx2, MicroarchClass::kUnknown)}) {
    const int registers = target.Supports(IsaLevel::kAvx512) ? 32 : 16;
    for (int64_t kernel = 2; kernel < 8; ++kernel) {
      for (int64_t stride = 1; stride < 4; ++stride) {
        const PoolingPlan plan = PoolingPlan::Make(Square(40, 64, kernel, stride, 1), target, nullptr);
        EXPECT_LE(plan.code.StripColumns(plan.code.strip_windows) * plan.code.strip_vectors, registers - 2);
        // Windows that share columns are many.
        EXPECT_GE(plan.code.strip_windows, kernel == 3 && stride < 3 ? 4 : 0) << stride;
      }
    }
  }
}

TEST(PoolingPlanTest, EpiloguesHaveTheirRegisters) {
  const Target target = Make(IsaLevel::kAvx2, MicroarchClass::kUnknown);
  for (const int vectors : {0, 4, 8, 10}) {
    const EpilogueRegisters needed = {vectors, 2, 0};
    const PoolingPlan plan = PoolingPlan::Make(Square(40, 64, 3, 1, 1), target, &needed);
    EXPECT_LE(plan.code.strip_windows * plan.code.strip_vectors + vectors, 15);
    EXPECT_LE(plan.code.single_vectors + vectors, 15);
  }
}

TEST(PoolingPlanTest, GlobalPoolingsTakeManyChannelsOfOneWindow) {
  const Target target = Make(IsaLevel::kAvx512, MicroarchClass::kZen4);
  const PoolingPlan plan = PoolingPlan::Make(Square(7, 2048, 7, 1, 0), target, nullptr);
  EXPECT_EQ(plan.code.strip_windows, 0);
  EXPECT_EQ(plan.code.single_vectors, 16);
  EXPECT_EQ(plan.code.tail_channels, 0);
  // Several items, each of a multiple of what is taken at a time.
  EXPECT_LT(plan.channels_per_item, 2048);
  EXPECT_EQ(plan.channels_per_item % 256, 0);
  EXPECT_EQ(plan.WorkItems(Square(7, 2048, 7, 1, 0)), 2048 / plan.channels_per_item);
}

TEST(PoolingPlanTest, RowsThatAreReadTwiceAreNarrow) {
  for (const int64_t l1 : {int64_t{32} << 10, int64_t{48} << 10}) {
    const Target target = Make(IsaLevel::kAvx512, MicroarchClass::kUnknown, l1);
    const PoolingPlan plan = PoolingPlan::Make(Square(112, 64, 3, 2, 1), target, nullptr);
    EXPECT_LE((plan.windows_per_item * 2 + 1) * 3 * 64 * 4, l1);
    EXPECT_EQ(plan.windows_per_item % plan.code.strip_windows, 0);
    // Without overlap there is nothing to keep.
    const PoolingPlan apart = PoolingPlan::Make(Square(112, 64, 2, 2, 0), target, nullptr);
    EXPECT_EQ(apart.windows_per_item, 56);
  }
}

TEST(PoolingPlanTest, PaddingBeyondAStripLeavesSingles) {
  const Target target = Make(IsaLevel::kAvx512, MicroarchClass::kZen4);
  PoolingSpec spec = Square(16, 16, 3, 1, 0);
  spec.axes[2].pad_begin = 40;
  spec.axes[2].output = 54;
  EXPECT_EQ(PoolingPlan::Make(spec, target, nullptr).code.strip_windows, 0);
}

TEST(PoolingPlanTest, EstimatesGrowWithTheWork) {
  for (const Target& target :
       {Make(IsaLevel::kAvx512, MicroarchClass::kZen4), Make(IsaLevel::kAvx2, MicroarchClass::kUnknown)}) {
    const double small = EstimatePoolingCycles(Square(28, 64, 3, 2, 1), target);
    EXPECT_GT(small, 0);
    EXPECT_GT(EstimatePoolingCycles(Square(56, 64, 3, 2, 1), target), 3 * small);
    EXPECT_GT(EstimatePoolingCycles(Square(28, 64, 7, 1, 3), target), 4 * small);
  }
}

TEST(PoolingPlanTest, NothingToDoIsNoItem) {
  const Target target = Make(IsaLevel::kAvx2, MicroarchClass::kUnknown);
  PoolingSpec spec = Square(8, 16, 2, 2, 0);
  spec.batch = 0;
  EXPECT_EQ(PoolingPlan::Make(spec, target, nullptr).WorkItems(spec), 0);
  EXPECT_EQ(EstimatePoolingCycles(spec, target), 0);
}

}  // namespace
}  // namespace burin::jit
