#include "ir/ops/shape_of.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/status/status.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::HasSubstr;

ShapeOfAttributes Type(ElementType type) {
  ShapeOfAttributes attributes;
  attributes.output_type = type;
  return attributes;
}

TEST(ShapeOfTest, ListsTheDimensions) {
  ASSERT_OK_AND_ASSIGN(const Tensor wide, Evaluate(ShapeOfOp(), ShapeOfAttributes(), {F32({2, 0, 3}, {})}));
  ExpectTensorEq(wide, I64({3}, {2, 0, 3}));
  ASSERT_OK_AND_ASSIGN(const Tensor narrow, Evaluate(ShapeOfOp(), Type(ElementType::kI32), {Bool({2}, {0, 1})}));
  ExpectTensorEq(narrow, I32({1}, {2}));
  ASSERT_OK_AND_ASSIGN(const Tensor scalar, Evaluate(ShapeOfOp(), ShapeOfAttributes(), {F32({}, {1})}));
  ExpectTensorEq(scalar, I64({0}, {}));
}

TEST(ShapeOfTest, PropagatesWhatIsKnown) {
  const PartialShape shape = {Dimension::Symbol("batch"), 3, Dimension(1, 8)};
  ASSERT_OK_AND_ASSIGN(const ValueInfo info,
                       InferOne(ShapeOfOp(), ShapeOfAttributes(), {Known(ElementType::kF32, shape)}));
  EXPECT_EQ(info.shape, PartialShape({3}));
  EXPECT_EQ(info.content, shape.dims());
}

TEST(ShapeOfTest, FoldsWithoutData) {
  ASSERT_OK_AND_ASSIGN(const ValueInfo info,
                       InferOne(ShapeOfOp(), ShapeOfAttributes(), {Known(ElementType::kF32, {4, 5})}));
  ASSERT_TRUE(info.constant.has_value());
  ExpectTensorEq(info.constant, I64({2}, {4, 5}));
}

TEST(ShapeOfTest, AcceptsUnknownRank) {
  ASSERT_OK_AND_ASSIGN(const ValueInfo info, InferOne(ShapeOfOp(), ShapeOfAttributes(),
                                                      {Known(ElementType::kF32, PartialShape::DynamicRank())}));
  EXPECT_EQ(info.shape, PartialShape({Dimension()}));
}

TEST(ShapeOfTest, C1RejectsOtherOutputTypes) {
  EXPECT_THAT(Evaluate(ShapeOfOp(), Type(ElementType::kF32), {F32({}, {1})}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("ShapeOf_c1")));
}

TEST(ShapeOfTest, RejectsDimensionsTooLargeForTheType) {
  EXPECT_THAT(Evaluate(ShapeOfOp(), Type(ElementType::kI32), {F32({0, int64_t{1} << 31}, {})}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("does not fit")));
}

}  // namespace
}  // namespace burin::ir
