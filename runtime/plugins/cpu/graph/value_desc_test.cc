#include "runtime/plugins/cpu/graph/value_desc.h"

#include <cstdint>
#include <limits>

#include "absl/status/status.h"
#include "base/element_type.h"
#include "gtest/gtest.h"
#include "ir/shape.h"
#include "testing/gtest/status_matchers.h"

namespace burin::cpu {
namespace {

ValueDesc Of(ir::Shape shape, Layout layout = Layout::kRowMajor) { return {ElementType::kF32, shape, layout}; }
ValueDesc ChannelsLast(ir::Shape shape) { return Of(shape, Layout::kChannelsLast); }

TEST(ValueDescTest, Bytes) {
  EXPECT_THAT(BytesOf(Of({2, 3})), IsOkAndHolds(24));
  EXPECT_THAT(BytesOf(Of({})), IsOkAndHolds(4));
  EXPECT_THAT(BytesOf(Of({2, 0})), IsOkAndHolds(0));
  EXPECT_THAT(BytesOf({ElementType::kI4, {3}, Layout::kRowMajor}), IsOkAndHolds(2));
  EXPECT_THAT(BytesOf(Of({int64_t{1} << 62})).status(), StatusIs(absl::StatusCode::kResourceExhausted));
}

TEST(ValueDescTest, Strides) {
  EXPECT_EQ(StridesOf(Of({2, 3, 4, 5})), (ir::ByteStrides{240, 80, 20, 4}));
  EXPECT_EQ(StridesOf(ChannelsLast({2, 3, 4, 5})), (ir::ByteStrides{240, 4, 60, 12}));
  EXPECT_EQ(StridesOf(ChannelsLast({2, 3, 4})), (ir::ByteStrides{48, 4, 12}));
  EXPECT_EQ(StridesOf(Of({0, 3})), (ir::ByteStrides{12, 4}));
  EXPECT_EQ(StridesOf(Of({})), ir::ByteStrides());
}

TEST(ValueDescTest, LayoutsOfLowRanksAreOne) {
  EXPECT_TRUE(SameBytes(Of({7}), ChannelsLast({7})));
  EXPECT_TRUE(SameBytes(Of({7, 5}), ChannelsLast({7, 5})));
  EXPECT_FALSE(SameBytes(Of({7, 5, 3}), ChannelsLast({7, 5, 3})));
}

TEST(ValueDescTest, WhereTheOrderDoesNotMatter) {
  EXPECT_TRUE(SameBytes(Of({2, 1, 8, 8}), ChannelsLast({2, 1, 8, 8})));
  EXPECT_TRUE(SameBytes(Of({2, 8, 1, 1}), ChannelsLast({2, 8, 1, 1})));
  EXPECT_FALSE(SameBytes(Of({2, 8, 1, 2}), ChannelsLast({2, 8, 1, 2})));
  EXPECT_TRUE(SameBytes(Of({2, 8, 0, 2}), ChannelsLast({2, 8, 0, 2})));
  EXPECT_TRUE(SameBytes(ChannelsLast({2, 8, 4, 2}), ChannelsLast({2, 8, 4, 2})));
}

TEST(ValueDescTest, Prints) {
  EXPECT_EQ(ToString(Of({1, 2})), "f32[1,2]");
  EXPECT_EQ(ToString(ChannelsLast({1, 2, 3, 4})), "f32[1,2,3,4] channels last");
}

}  // namespace
}  // namespace burin::cpu
