#include "ir/ops/family/channels.h"

#include <limits>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/attributes.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/ops/op_testlib.h"
#include "ir/partial_shape.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// Returns the shape for data and lists of these shapes.
absl::StatusOr<PartialShape> ShapeFrom(const std::vector<PartialShape>& shapes) {
  std::vector<ValueInfo> infos;
  for (const PartialShape& shape : shapes) infos.push_back(Known(ElementType::kF32, shape));
  std::vector<const ValueInfo*> inputs;
  for (const ValueInfo& info : infos) inputs.push_back(&info);
  const NoAttributes attributes;
  const InferContext context(attributes, inputs, 1);
  return ShapeWithChannels("Norm_c1", "Norm_c2", context);
}

TEST(ChannelsTest, KeepsTheShapeOfTheData) {
  const PartialShape data({Dimension::Symbol("batch"), 3, Dimension(2, 8)});
  EXPECT_THAT(ShapeFrom({data}), IsOkAndHolds(data));
  EXPECT_THAT(ShapeFrom({data, {3}, {3}}), IsOkAndHolds(data));
  EXPECT_THAT(ShapeFrom({data, PartialShape::DynamicRank(), {Dimension()}}), IsOkAndHolds(data));
  EXPECT_THAT(ShapeFrom({{4, 0}, {0}}), IsOkAndHolds(PartialShape({4, 0})));
}

TEST(ChannelsTest, LearnsTheChannelsFromEachList) {
  EXPECT_THAT(ShapeFrom({{2, Dimension(), 5}, {Dimension()}, {3}}), IsOkAndHolds(PartialShape({2, 3, 5})));
  EXPECT_THAT(ShapeFrom({{2, Dimension(2, 8)}, {Dimension(4, 16)}, {Dimension(0, 6)}}),
              IsOkAndHolds(PartialShape({2, Dimension(4, 6)})));
  EXPECT_THAT(ShapeFrom({PartialShape::DynamicRank(), {3}}), IsOkAndHolds(PartialShape::DynamicRank()));
}

TEST(ChannelsTest, RefusesDataWithoutChannels) {
  for (const PartialShape& data : {PartialShape({}), PartialShape({3})}) {
    EXPECT_THAT(ShapeFrom({data, {3}}), StatusIs(absl::StatusCode::kInvalidArgument, StartsWith("Norm_c1")));
  }
}

TEST(ChannelsTest, RefusesWhatIsNoListOfOneNumberPerChannel) {
  const PartialShape data({2, 3, 5});
  for (const PartialShape& list : {PartialShape({}), PartialShape({1, 3}), PartialShape({1}), PartialShape({5}),
                                   PartialShape({0}), PartialShape({Dimension(4, 9)})}) {
    EXPECT_THAT(ShapeFrom({data, {3}, list}), StatusIs(absl::StatusCode::kInvalidArgument, StartsWith("Norm_c2")))
        << list.ToString();
  }
  EXPECT_THAT(ShapeFrom({data, {3}, {4}}), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("input 2")));
  // Lists that contradict each other only.
  for (const PartialShape& unknown : {PartialShape::DynamicRank(), PartialShape::OfRank(2)}) {
    EXPECT_THAT(ShapeFrom({unknown, {3}, {4}}), StatusIs(absl::StatusCode::kInvalidArgument, StartsWith("Norm_c2")));
  }
}

TEST(ChannelsTest, EpsilonIsFiniteAndNotNegative) {
  EXPECT_OK(RequireEpsilon("Norm_c3", 0));
  EXPECT_OK(RequireEpsilon("Norm_c3", 1e-5));
  for (const double epsilon :
       {-1e-9, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THAT(RequireEpsilon("Norm_c3", epsilon), StatusIs(absl::StatusCode::kInvalidArgument, StartsWith("Norm_c3")))
        << epsilon;
  }
}

}  // namespace
}  // namespace burin::ir
