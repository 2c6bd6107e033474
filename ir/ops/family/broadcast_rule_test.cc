#include "ir/ops/family/broadcast_rule.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "absl/status/status.h"
#include "ir/partial_shape.h"
#include "ir/shape.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

constexpr BroadcastRule kNone = {AutoBroadcast::kNone, -1};
constexpr BroadcastRule kNumpy = {AutoBroadcast::kNumpy, -1};

BroadcastRule Pdpd(int64_t axis) { return {AutoBroadcast::kPdpd, axis}; }

PartialShape Shapes(const char* text) { return PartialShape::Parse(text).value(); }

TEST(BroadcastRuleTest, NoneAsksForTheSameShape) {
  EXPECT_THAT(BroadcastOperands(kNone, Shapes("[2,?]"), Shapes("[?,3]")), IsOkAndHolds(Shapes("[2,3]")));
  EXPECT_THAT(BroadcastOperands(kNone, Shapes("[2,1]"), Shapes("[2,3]")), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(BroadcastOperands(kNone, Shapes("[2]"), Shapes("[]")), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(BroadcastRuleTest, NumpyAlignsAtTheInnermost) {
  EXPECT_THAT(BroadcastOperands(kNumpy, Shapes("[8,1,6,1]"), Shapes("[7,1,5]")), IsOkAndHolds(Shapes("[8,7,6,5]")));
  EXPECT_THAT(BroadcastOperands(kNumpy, Shapes("[n,1]"), Shapes("[4]")), IsOkAndHolds(Shapes("[n,4]")));
  EXPECT_THAT(BroadcastOperands(kNumpy, Shapes("[n,3]"), Shapes("[n,3]")), IsOkAndHolds(Shapes("[n,3]")));
  EXPECT_THAT(BroadcastOperands(kNumpy, Shapes("[2]"), Shapes("[3]")), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(BroadcastOperands(kNumpy, Shapes("[2]"), Shapes("[...]")), IsOkAndHolds(Shapes("[...]")));
}

TEST(BroadcastRuleTest, PdpdAlignsAtTheAxis) {
  const PartialShape a = Shapes("[2,3,4,5]");
  for (const char* b : {"[3,4]", "[3,1]", "[3]", "[1,4,1]", "[]"}) {
    EXPECT_THAT(BroadcastOperands(Pdpd(1), a, Shapes(b)), IsOkAndHolds(a)) << b;
    EXPECT_THAT(BroadcastOperands(Pdpd(1), Shapes(b), a), IsOkAndHolds(a)) << b;
  }
  EXPECT_THAT(BroadcastOperands(Pdpd(-1), a, Shapes("[4,5]")), IsOkAndHolds(a));
  EXPECT_THAT(BroadcastOperands(Pdpd(0), a, Shapes("[2,3]")), IsOkAndHolds(a));
  EXPECT_THAT(BroadcastOperands(Pdpd(0), a, a), IsOkAndHolds(a));
  // The trailing 1 would reach beyond the last dimension.
  EXPECT_THAT(BroadcastOperands(Pdpd(3), a, Shapes("[5,1]")), IsOkAndHolds(a));
  EXPECT_EQ(AlignShape(Pdpd(3), {5, 1}, 4), (Shape{1, 1, 1, 5}));
}

TEST(BroadcastRuleTest, PdpdRejectsWhatDoesNotFitAtTheAxis) {
  const PartialShape a = Shapes("[2,3,4,5]");
  for (const int64_t axis : {int64_t{-2}, int64_t{3}, int64_t{4}, INT64_MAX, INT64_MIN}) {
    EXPECT_THAT(BroadcastOperands(Pdpd(axis), a, Shapes("[4,5]")), StatusIs(absl::StatusCode::kInvalidArgument))
        << axis;
  }
  EXPECT_THAT(BroadcastOperands(Pdpd(1), a, Shapes("[4,5]")), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(BroadcastOperands(Pdpd(1), a, a), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(BroadcastRuleTest, OneWayStretchesTheOperandAlone) {
  EXPECT_THAT(BroadcastOnto(kNumpy, Shapes("[2,3]"), Shapes("[3]")), IsOkAndHolds(Shapes("[2,3]")));
  EXPECT_THAT(BroadcastOnto(kNumpy, Shapes("[n,?]"), Shapes("[1,3]")), IsOkAndHolds(Shapes("[n,3]")));
  EXPECT_THAT(BroadcastOnto(kNumpy, Shapes("[n,?]"), Shapes("[?,1..3]")), IsOkAndHolds(Shapes("[n,?]")));
  EXPECT_THAT(BroadcastOnto(kNumpy, Shapes("[1,3]"), Shapes("[2,3]")), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(BroadcastOnto(kNumpy, Shapes("[3]"), Shapes("[1,3]")), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(BroadcastOnto(kNumpy, Shapes("[3]"), Shapes("[...]")), IsOkAndHolds(Shapes("[3]")));
  EXPECT_THAT(BroadcastOnto(kNone, Shapes("[?]"), Shapes("[3]")), IsOkAndHolds(Shapes("[3]")));
  EXPECT_THAT(BroadcastOnto(Pdpd(0), Shapes("[2,3]"), Shapes("[2]")), IsOkAndHolds(Shapes("[2,3]")));
}

TEST(BroadcastRuleTest, AlignsShapesToTheRank) {
  EXPECT_EQ(AlignShape(kNumpy, {3}, 3), (Shape{1, 1, 3}));
  EXPECT_EQ(AlignShape(kNone, {2, 3}, 2), (Shape{2, 3}));
  EXPECT_EQ(AlignShape(Pdpd(1), {3}, 3), (Shape{1, 3, 1}));
  EXPECT_EQ(AlignShape(Pdpd(-1), {3}, 3), (Shape{1, 1, 3}));
  EXPECT_EQ(AlignShape(Pdpd(0), {}, 2), (Shape{1, 1}));
}

}  // namespace
}  // namespace burin::ir
