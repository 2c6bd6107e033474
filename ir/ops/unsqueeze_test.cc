#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/status/status.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::HasSubstr;

TEST(UnsqueezeTest, InsertsDimensions) {
  const Tensor data = F32({2, 3}, {1, 2, 3, 4, 5, 6});
  ASSERT_OK_AND_ASSIGN(const Tensor two, Evaluate(UnsqueezeOp(), NoAttributes(), {data, I64({2}, {0, 3})}));
  ExpectTensorEq(two, F32({1, 2, 3, 1}, {1, 2, 3, 4, 5, 6}));
  ASSERT_OK_AND_ASSIGN(const Tensor last, Evaluate(UnsqueezeOp(), NoAttributes(), {data, I32({}, {-1})}));
  ExpectTensorEq(last, F32({2, 3, 1}, {1, 2, 3, 4, 5, 6}));
  ASSERT_OK_AND_ASSIGN(const Tensor scalar, Evaluate(UnsqueezeOp(), NoAttributes(), {Bool({}, {1}), I64({1}, {0})}));
  ExpectTensorEq(scalar, Bool({1}, {1}));
}

TEST(UnsqueezeTest, InfersPartialShapes) {
  const Dimension n = Dimension::Symbol("n");
  ASSERT_OK_AND_ASSIGN(const ValueInfo known, InferOne(UnsqueezeOp(), NoAttributes(),
                                                       {Known(ElementType::kF32, {n}), Constant(I64({1}, {0}))}));
  EXPECT_EQ(known.shape, PartialShape({1, n}));
  ASSERT_OK_AND_ASSIGN(const ValueInfo axes, InferOne(UnsqueezeOp(), NoAttributes(),
                                                      {Known(ElementType::kF32, {n}), Known(ElementType::kI64, {2})}));
  EXPECT_EQ(axes.shape, PartialShape::OfRank(3));
  ASSERT_OK_AND_ASSIGN(const ValueInfo rank,
                       InferOne(UnsqueezeOp(), NoAttributes(),
                                {Known(ElementType::kF32, PartialShape::DynamicRank()), Constant(I64({1}, {0}))}));
  EXPECT_FALSE(rank.shape.has_rank());
}

TEST(UnsqueezeTest, PropagatesContent) {
  const Dimension n = Dimension::Symbol("n");
  ASSERT_OK_AND_ASSIGN(const ValueInfo info,
                       InferOne(UnsqueezeOp(), NoAttributes(), {PartialScalar(n), Constant(I64({1}, {0}))}));
  EXPECT_EQ(info.shape, PartialShape({1}));
  EXPECT_EQ(info.content, (PartialValue{n}));
}

TEST(UnsqueezeTest, C1RejectsOtherAxes) {
  EXPECT_THAT(Evaluate(UnsqueezeOp(), NoAttributes(), {F32({1}, {1}), F32({1}, {0})}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Unsqueeze_c1")));
}

TEST(UnsqueezeTest, C2RejectsAxesOutsideOrTwice) {
  for (const Tensor& axes : {I64({1}, {2}), I64({1}, {-3}), I64({2}, {0, -3})}) {
    EXPECT_THAT(Evaluate(UnsqueezeOp(), NoAttributes(), {F32({1}, {1}), axes}),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Unsqueeze_c2")));
  }
}

}  // namespace
}  // namespace burin::ir
