#include "ir/ops/family/pooling.h"

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/attributes.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/window.h"
#include "ir/ops/op_testlib.h"
#include "ir/partial_shape.h"
#include "ir/shape.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using Indices = std::vector<int64_t>;

WindowParameters Window(Indices strides, Indices pads_begin = {}, Indices pads_end = {}, Indices dilations = {},
                        AutoPad auto_pad = AutoPad::kExplicit) {
  return {std::move(strides), std::move(pads_begin), std::move(pads_end), std::move(dilations), auto_pad};
}

absl::StatusOr<PartialShape> Pooled(const PartialShape& data, const WindowParameters& window, const Indices& kernel,
                                    RoundingType rounding = RoundingType::kFloor,
                                    ElementType type = ElementType::kF32) {
  const ValueInfo info = Known(type, data);
  const ValueInfo* const inputs[] = {&info};
  const NoAttributes attributes;
  return PooledShape(InferContext(attributes, inputs, 1), "Pool", window, kernel, rounding);
}

// Returns the positions of the taps of each window of a plane.
std::vector<Indices> Windows(const Shape& data, const Shape& output, const WindowParameters& window,
                             const Indices& kernel) {
  const absl::StatusOr<PoolingGeometry> g = MakePoolingGeometry(data, output, window, kernel);
  EXPECT_OK(g);
  std::vector<Indices> windows;
  if (!g.ok()) return windows;
  ForEachWindow(*g, [&](int64_t o, const std::array<WindowTaps, 3>& taps) {
    EXPECT_EQ(o, static_cast<int64_t>(windows.size()));
    windows.emplace_back();
    ForEachTap(*g, taps, [&](int64_t i) { windows.back().push_back(i); });
  });
  return windows;
}

TEST(PoolingTest, InfersShapes) {
  const Dimension batch = Dimension::Symbol("batch");
  const Dimension width = Dimension::Symbol("width");
  // 5 rows with one of padding at each end: windows begin at -1, 1 and 3.
  EXPECT_THAT(Pooled({batch, 4, 5, width}, Window({2, 1}, {1, 1}, {1, 1}), {3, 3}),
              IsOkAndHolds(PartialShape({batch, 4, 3, width})));
  EXPECT_THAT(Pooled({1, 2, 7}, Window({}, {}, {}, {3}), {3}), IsOkAndHolds(PartialShape({1, 2, 1})));
  EXPECT_THAT(Pooled({0, 2, 4, 4, 4}, Window({2, 2, 2}), {2, 2, 2}), IsOkAndHolds(PartialShape({0, 2, 2, 2, 2})));
  EXPECT_THAT(Pooled({1, 1, Dimension(4, 9)}, Window({2}), {2}), IsOkAndHolds(PartialShape({1, 1, Dimension(2, 4)})));
}

TEST(PoolingTest, CountsATailWhereAsked) {
  const WindowParameters window = Window({2});
  EXPECT_THAT(Pooled({1, 1, 6}, window, {3}, RoundingType::kFloor), IsOkAndHolds(PartialShape({1, 1, 2})));
  EXPECT_THAT(Pooled({1, 1, 6}, window, {3}, RoundingType::kCeil), IsOkAndHolds(PartialShape({1, 1, 3})));
}

TEST(PoolingTest, TakesTheRankFromTheKernel) {
  EXPECT_THAT(Pooled(PartialShape::DynamicRank(), Window({}, {1, 1}, {1, 1}), {3, 3}),
              IsOkAndHolds(PartialShape::OfRank(4)));
}

TEST(PoolingTest, RefusesWhatBreaksConstraints) {
  const auto refuses = [](const absl::StatusOr<PartialShape>& shape, const char* label) {
    EXPECT_THAT(shape, StatusIs(absl::StatusCode::kInvalidArgument, StartsWith(label)));
  };
  const PartialShape data({1, 1, 4});
  refuses(Pooled(data, {}, {2}, RoundingType::kFloor, ElementType::kBoolean), "Pool_c1");
  refuses(Pooled({1, 1}, {}, {}), "Pool_c2");
  refuses(Pooled({1, 1, 2, 2, 2, 2}, {}, {1, 1, 1, 1}), "Pool_c2");
  refuses(Pooled(data, {}, {}), "Pool_c3");
  refuses(Pooled(data, {}, {2, 2}), "Pool_c3");
  refuses(Pooled(PartialShape::DynamicRank(), {}, {}), "Pool_c3");
  refuses(Pooled(PartialShape::DynamicRank(), {}, {1, 1, 1, 1}), "Pool_c3");
  refuses(Pooled(data, Window({1, 1}), {2}), "Pool_c3");
  refuses(Pooled(data, Window({0}), {2}), "Pool_c3");
  refuses(Pooled(data, Window({}, {-1}), {2}), "Pool_c3");
  refuses(Pooled(data, Window({}, {}, {}, {int64_t{1} << 40}), {2}), "Pool_c3");
  refuses(Pooled(data, {}, {5}), "Pool_c4");
  refuses(Pooled(data, {}, {0}), "Pool_c4");
  refuses(Pooled(data, {}, {INT64_MAX}), "Pool_c4");
}

TEST(PoolingTest, ClipsTapsToARange) {
  WindowAxis axis;
  axis.kernel = 3;
  axis.stride = 2;
  axis.dilation = 2;
  axis.pad_begin = 3;
  const auto taps = [&](int64_t o, int64_t begin, int64_t end) {
    const WindowTaps result = TapsInside(axis, o, begin, end);
    return Indices{result.origin, result.first, result.last};
  };
  // Four elements: taps at -3, -1, 1; then -1, 1, 3; then 1, 3, 5; then 3, 5, 7.
  EXPECT_THAT(taps(0, 0, 4), ElementsAre(-3, 2, 3));
  EXPECT_THAT(taps(1, 0, 4), ElementsAre(-1, 1, 3));
  EXPECT_THAT(taps(2, 0, 4), ElementsAre(1, 0, 2));
  EXPECT_THAT(taps(3, 0, 4), ElementsAre(3, 0, 1));
  // With the padding: positions -3 to 5.
  EXPECT_THAT(taps(0, -3, 6), ElementsAre(-3, 0, 3));
  EXPECT_THAT(taps(2, -3, 6), ElementsAre(1, 0, 3));
  EXPECT_THAT(taps(3, -3, 6), ElementsAre(3, 0, 2));
  // Past the end, before the beginning, and in an empty input.
  EXPECT_EQ(TapsInside(axis, 4, 0, 4).count(), 0);
  axis.kernel = 1;
  EXPECT_EQ(TapsInside(axis, 0, 0, 4).count(), 0);
  EXPECT_EQ(TapsInside(axis, 2, 0, 0).count(), 0);
}

TEST(PoolingTest, VisitsWindowsAndTapsRowMajor) {
  // 0 1 2
  // 3 4 5, with padding above and to the left.
  EXPECT_THAT(Windows({1, 1, 2, 3}, {1, 1, 2, 2}, Window({1, 2}, {1, 1}, {0, 0}), {2, 2}),
              ElementsAre(Indices{0}, Indices{1, 2}, Indices{0, 3}, Indices{1, 2, 4, 5}));
  EXPECT_THAT(Windows({2, 3, 2, 2, 2}, {2, 3, 1, 2, 2}, {}, {2, 1, 1}),
              ElementsAre(Indices{0, 4}, Indices{1, 5}, Indices{2, 6}, Indices{3, 7}));
}

TEST(PoolingTest, SpreadsDilatedTaps) {
  EXPECT_THAT(Windows({1, 1, 5}, {1, 1, 2}, Window({}, {}, {}, {3}), {2}), ElementsAre(Indices{0, 3}, Indices{1, 4}));
  EXPECT_THAT(Windows({1, 1, 3, 3}, {1, 1, 1, 2}, Window({}, {}, {}, {2, 1}), {2, 2}),
              ElementsAre(Indices{0, 1, 6, 7}, Indices{1, 2, 7, 8}));
}

TEST(PoolingTest, CutsTheTail) {
  EXPECT_THAT(Windows({1, 1, 4}, {1, 1, 2}, Window({2}), {3}), ElementsAre(Indices{0, 1, 2}, Indices{2, 3}));
  EXPECT_THAT(Windows({1, 1, 5}, {1, 1, 3}, Window({2}, {}, {}, {}, AutoPad::kSameUpper), {2}),
              ElementsAre(Indices{0, 1}, Indices{2, 3}, Indices{4}));
  EXPECT_THAT(Windows({1, 1, 5}, {1, 1, 3}, Window({2}, {}, {}, {}, AutoPad::kSameLower), {2}),
              ElementsAre(Indices{0}, Indices{1, 2}, Indices{3, 4}));
}

TEST(PoolingTest, VisitsNothingOfEmptyPlanes) {
  // Padding alone gives a window without taps.
  EXPECT_THAT(Windows({1, 1, 0}, {1, 1, 1}, Window({}, {1}, {1}), {2}), ElementsAre(IsEmpty()));
  EXPECT_THAT(Windows({1, 1, 0}, {1, 1, 0}, Window({}, {}, {}, {}, AutoPad::kSameUpper), {2}), IsEmpty());
}

TEST(PoolingTest, GeometryFillsAxesInFront) {
  ASSERT_OK_AND_ASSIGN(const PoolingGeometry g,
                       MakePoolingGeometry({2, 3, 4, 5}, {2, 3, 2, 4}, Window({2, 1}), {2, 2}));
  EXPECT_EQ(g.planes, 6);
  EXPECT_THAT(g.in, ElementsAre(1, 4, 5));
  EXPECT_THAT(g.out, ElementsAre(1, 2, 4));
  EXPECT_EQ(g.InPlane(), 20);
  EXPECT_EQ(g.OutPlane(), 8);
  EXPECT_EQ(g.axes[0].kernel, 1);
  EXPECT_EQ(g.axes[1].stride, 2);
  ASSERT_OK_AND_ASSIGN(const PoolingGeometry empty, MakePoolingGeometry({0, 3, 4}, {0, 3, 3}, {}, {2}));
  EXPECT_EQ(empty.planes, 0);
}

TEST(PoolingTest, CostsOneFlopPerTap) {
  const ValueInfo data = Known(ElementType::kF32, PartialShape({1, 2, 4, 4}));
  const ValueInfo* const inputs[] = {&data};
  const std::vector<ValueInfo> outputs = {Known(ElementType::kF32, PartialShape({1, 2, 3, 3}))};
  const NoAttributes attributes;
  const Cost cost = PoolingCost(CostContext(attributes, inputs, outputs), {2, 2});
  EXPECT_EQ(cost.flops, 18 * 4);
  EXPECT_EQ(cost.bytes_read, 32 * 4);
  EXPECT_EQ(cost.bytes_written, 18 * 4);
}

}  // namespace
}  // namespace burin::ir
