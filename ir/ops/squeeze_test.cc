#include "ir/ops/squeeze.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/status/status.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::HasSubstr;

SqueezeAttributes Skip() {
  SqueezeAttributes attributes;
  attributes.allow_axis_skip = true;
  return attributes;
}

TEST(SqueezeTest, RemovesNamedDimensions) {
  const Tensor data = F32({1, 3, 1, 2}, {1, 2, 3, 4, 5, 6});
  ASSERT_OK_AND_ASSIGN(const Tensor both, Evaluate(SqueezeOp(), SqueezeAttributes(), {data, I64({2}, {0, 2})}));
  ExpectTensorEq(both, F32({3, 2}, {1, 2, 3, 4, 5, 6}));
  ASSERT_OK_AND_ASSIGN(const Tensor one, Evaluate(SqueezeOp(), SqueezeAttributes(), {data, I32({}, {-2})}));
  ExpectTensorEq(one, F32({1, 3, 2}, {1, 2, 3, 4, 5, 6}));
}

TEST(SqueezeTest, RemovesEveryOneWithoutAxes) {
  ASSERT_OK_AND_ASSIGN(const Tensor none, Evaluate(SqueezeOp(), SqueezeAttributes(), {U8({1, 2, 1}, {7, 8})}));
  ExpectTensorEq(none, U8({2}, {7, 8}));
  ASSERT_OK_AND_ASSIGN(const Tensor empty,
                       Evaluate(SqueezeOp(), SqueezeAttributes(), {U8({1, 2, 1}, {7, 8}), I64({0}, {})}));
  ExpectTensorEq(empty, U8({2}, {7, 8}));
  ASSERT_OK_AND_ASSIGN(const Tensor zero, Evaluate(SqueezeOp(), SqueezeAttributes(), {F32({1, 0}, {})}));
  ExpectTensorEq(zero, F32({0}, {}));
}

TEST(SqueezeTest, SkipsOtherDimensionsWhereAllowed) {
  ASSERT_OK_AND_ASSIGN(const Tensor kept, Evaluate(SqueezeOp(), Skip(), {I64({1, 2}, {1, 2}), I64({2}, {0, 1})}));
  ExpectTensorEq(kept, I64({2}, {1, 2}));
}

TEST(SqueezeTest, InfersPartialShapes) {
  const Dimension n = Dimension::Symbol("n");
  const ValueInfo data = Known(ElementType::kF32, {n, Dimension(), 1});
  ASSERT_OK_AND_ASSIGN(const ValueInfo named,
                       InferOne(SqueezeOp(), SqueezeAttributes(), {data, Constant(I64({1}, {1}))}));
  EXPECT_EQ(named.shape, PartialShape({n, 1}));
  ASSERT_OK_AND_ASSIGN(const ValueInfo skipping, InferOne(SqueezeOp(), Skip(), {data, Constant(I64({1}, {1}))}));
  EXPECT_FALSE(skipping.shape.has_rank());
  ASSERT_OK_AND_ASSIGN(const ValueInfo all, InferOne(SqueezeOp(), SqueezeAttributes(), {data}));
  EXPECT_FALSE(all.shape.has_rank());
  ASSERT_OK_AND_ASSIGN(const ValueInfo unknown,
                       InferOne(SqueezeOp(), SqueezeAttributes(), {data, Known(ElementType::kI64, {1})}));
  EXPECT_FALSE(unknown.shape.has_rank());
  ASSERT_OK_AND_ASSIGN(const ValueInfo certain,
                       InferOne(SqueezeOp(), SqueezeAttributes(), {Known(ElementType::kF32, {Dimension(2, 5), 1})}));
  EXPECT_EQ(certain.shape, PartialShape({Dimension(2, 5)}));
}

TEST(SqueezeTest, PropagatesContent) {
  const Dimension n = Dimension::Symbol("n");
  ASSERT_OK_AND_ASSIGN(const ValueInfo info,
                       InferOne(SqueezeOp(), SqueezeAttributes(), {Partial({n}), Constant(I64({1}, {0}))}));
  EXPECT_EQ(info.shape, PartialShape());
  EXPECT_EQ(info.content, (PartialValue{n}));
}

TEST(SqueezeTest, C1RejectsAxes) {
  EXPECT_THAT(Evaluate(SqueezeOp(), SqueezeAttributes(), {F32({1}, {1}), I64({1}, {1})}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Squeeze_c1")));
  EXPECT_THAT(Evaluate(SqueezeOp(), SqueezeAttributes(), {F32({1}, {1}), F32({1}, {0})}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Squeeze_c1")));
}

TEST(SqueezeTest, C2RejectsOtherDimensions) {
  EXPECT_THAT(Evaluate(SqueezeOp(), SqueezeAttributes(), {F32({2}, {1, 2}), I64({1}, {0})}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Squeeze_c2")));
}

}  // namespace
}  // namespace burin::ir
