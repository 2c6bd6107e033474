#include "ir/shape.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "absl/status/status.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int64_t kBig = std::numeric_limits<int64_t>::max();

TEST(ShapeTest, CountsElements) {
  EXPECT_THAT(ElementCount({}), IsOkAndHolds(1));
  EXPECT_THAT(ElementCount({2, 3, 5}), IsOkAndHolds(30));
  EXPECT_THAT(ElementCount({7, 0, 5}), IsOkAndHolds(0));
  EXPECT_THAT(ElementCount({kBig, 1}), IsOkAndHolds(kBig));
  EXPECT_THAT(ElementCount(Shape(kMaxRank, 1)), IsOkAndHolds(1));
}

TEST(ShapeTest, RefusesHostileShapes) {
  EXPECT_THAT(ElementCount({2, -1}), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("[2,-1]")));
  EXPECT_THAT(ElementCount({std::numeric_limits<int64_t>::min()}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(ElementCount({int64_t{1} << 32, int64_t{1} << 31}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(ElementCount(Shape(kMaxRank + 1, 1)), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(ShapeTest, RefusesOverflowWhereverTheZeroStands) {
  EXPECT_THAT(ElementCount({0, kBig, kBig}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(ElementCount({kBig, kBig, 0}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(ElementCount({kBig, -1, 0}), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(ShapeTest, Prints) {
  EXPECT_EQ(ToString(Shape{}), "[]");
  EXPECT_EQ(ToString(Shape{1, 3, 224, 224}), "[1,3,224,224]");
}

TEST(ShapeTest, RowMajorStridesCountZeroAsOne) {
  EXPECT_THAT(RowMajorStrides({}), IsEmpty());
  EXPECT_THAT(RowMajorStrides({2, 3, 5}), ElementsAre(15, 5, 1));
  EXPECT_THAT(RowMajorStrides({2, 0, 5}), ElementsAre(5, 5, 1));
}

TEST(ShapeTest, Broadcasts) {
  EXPECT_THAT(BroadcastShapes({}, {2, 3}), IsOkAndHolds(Shape{2, 3}));
  EXPECT_THAT(BroadcastShapes({4, 1, 3}, {2, 1}), IsOkAndHolds(Shape{4, 2, 3}));
  EXPECT_THAT(BroadcastShapes({3}, {4, 1, 1}), IsOkAndHolds(Shape{4, 1, 3}));
  EXPECT_THAT(BroadcastShapes({0}, {1}), IsOkAndHolds(Shape{0}));
  EXPECT_THAT(BroadcastShapes({0}, {2}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(BroadcastShapes({2, 3}, {2}), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("[2,3] and [2]")));
}

TEST(ShapeTest, NormalizesAxes) {
  EXPECT_THAT(NormalizeAxis(-4, 4), IsOkAndHolds(0));
  EXPECT_THAT(NormalizeAxis(3, 4), IsOkAndHolds(3));
  EXPECT_THAT(NormalizeAxis(4, 4), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(NormalizeAxis(-5, 4), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(NormalizeAxis(0, 0), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(NormalizeAxis(std::numeric_limits<int64_t>::min(), 4), StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace burin::ir
