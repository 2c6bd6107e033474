#include "jit/kernels/resize/resize_plan.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "jit/isa/isa.h"
#include "jit/isa/microarch.h"
#include "jit/isa/target.h"
#include "jit/kernels/resize/resize_spec.h"
#include "testing/gtest/status_matchers.h"

namespace burin::jit {
namespace {

Target Make(MicroarchClass id) { return *Target::ForTesting(IsaSet::From(IsaLevel::kAvx512), Microarch::Of(id)); }

// Every element twice, or with a part of its neighbour.
ResizeAxis Doubled(int64_t size, bool nearest) {
  ResizeAxis axis;
  axis.input = size;
  axis.taps.clear();
  for (int64_t o = 0; o < 2 * size; ++o) {
    axis.taps.push_back({{o / 2, 1}});
    if (!nearest) axis.taps.back() = {{o / 2, 0.75f}, {(o / 2 + 1) % size, 0.25f}};
  }
  return axis;
}

ResizeSpec Square(int64_t size, int64_t channels, bool nearest) {
  ResizeSpec spec;
  spec.channels = channels;
  spec.axes[1] = spec.axes[2] = Doubled(size, nearest);
  spec.SetChannelsInnermost();
  return spec;
}

TEST(ResizePlanTest, TheWayFollowsTheLayout) {
  for (const MicroarchClass id : {MicroarchClass::kZen4, MicroarchClass::kSapphireRapids, MicroarchClass::kUnknown}) {
    const Target target = Make(id);
    ResizeSpec nearest = Square(20, 64, true);
    EXPECT_EQ(ResizePlan::Make(nearest, target, false).way, ResizeWay::kMove);
    EXPECT_FALSE(ResizePlan::Make(nearest, target, false).rows_of_channels);
    EXPECT_EQ(ResizePlan::Make(nearest, target, true).way, ResizeWay::kSumChannels);
    nearest.SetChannelsOutermost();
    EXPECT_TRUE(ResizePlan::Make(nearest, target, false).rows_of_channels);
    ResizeSpec linear = Square(20, 64, false);
    EXPECT_EQ(ResizePlan::Make(linear, target, false).way, ResizeWay::kSumChannels);
    EXPECT_EQ(ResizePlan::Make(linear, target, false).Rows(linear), 40);
    linear.SetChannelsOutermost();
    EXPECT_EQ(ResizePlan::Make(linear, target, false).way, ResizeWay::kResampleRows);
    EXPECT_EQ(ResizePlan::Make(linear, target, false).Rows(linear), 40 * 64);
    EXPECT_EQ(ResizePlan::Make(Square(20, 1, false), target, false).way, ResizeWay::kResampleRows);
  }
}

TEST(ResizePlanTest, ItemsWriteAboutAsMuch) {
  const Target target = Make(MicroarchClass::kZen4);
  const ResizeSpec spec = Square(40, 64, false);
  const ResizePlan plan = ResizePlan::Make(spec, target, false);
  EXPECT_EQ(plan.rows_per_item, 3);
  EXPECT_EQ(plan.WorkItems(spec), 27);
  ResizeSpec empty = spec;
  empty.batch = 0;
  EXPECT_EQ(ResizePlan::Make(empty, target, false).WorkItems(empty), 0);
}

TEST(ResizePlanTest, EstimatesGrowWithTheWork) {
  for (const MicroarchClass id : {MicroarchClass::kZen4, MicroarchClass::kSapphireRapids}) {
    for (const bool nearest : {false, true}) {
      EXPECT_GT(EstimateResizeCycles(Square(40, 64, nearest), Make(id)),
                3 * EstimateResizeCycles(Square(20, 64, nearest), Make(id)));
    }
  }
}

}  // namespace
}  // namespace burin::jit
