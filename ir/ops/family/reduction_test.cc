#include "ir/ops/family/reduction.h"

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/tensor.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

ReductionAttributes KeepDims(bool keep_dims) {
  ReductionAttributes attributes;
  attributes.keep_dims = keep_dims;
  return attributes;
}

PartialShape ShapeOf(const absl::StatusOr<ValueInfo>& value) {
  EXPECT_OK(value);
  return value.ok() ? value->shape : PartialShape::DynamicRank();
}

const PartialShape& Data() {
  static const PartialShape shape({Dimension::Symbol("batch"), Dimension(2, 8), 5});
  return shape;
}

TEST(ReductionTest, KeepsSymbolsOfOtherAxes) {
  const ValueInfo data = Known(ElementType::kF32, Data());
  EXPECT_EQ(ShapeOf(InferOne(ReduceSumOp(), KeepDims(false), {data, Constant(I64({1}, {-1}))})),
            PartialShape({Dimension::Symbol("batch"), Dimension(2, 8)}));
  EXPECT_EQ(ShapeOf(InferOne(ReduceSumOp(), KeepDims(true), {data, Constant(I64({2}, {1, 2}))})),
            PartialShape({Dimension::Symbol("batch"), 1, 1}));
  EXPECT_EQ(ShapeOf(InferOne(ReduceSumOp(), KeepDims(false), {data, Constant(I64({0}, {}))})), Data());
}

TEST(ReductionTest, AcceptsUnknownAxes) {
  const ValueInfo data = Known(ElementType::kF32, Data());
  EXPECT_EQ(ShapeOf(InferOne(ReduceSumOp(), KeepDims(false), {data, Known(ElementType::kI64, PartialShape({2}))})),
            PartialShape::OfRank(1));
  EXPECT_EQ(ShapeOf(InferOne(ReduceSumOp(), KeepDims(false), {data, Known(ElementType::kI64, PartialShape())})),
            PartialShape::OfRank(2));
  EXPECT_FALSE(
      ShapeOf(InferOne(ReduceSumOp(), KeepDims(false), {data, Known(ElementType::kI64, PartialShape::OfRank(1))}))
          .has_rank());
  EXPECT_EQ(ShapeOf(InferOne(ReduceSumOp(), KeepDims(true), {data, Known(ElementType::kI64, PartialShape::OfRank(1))})),
            PartialShape({Dimension(0, Dimension::kInfinite), Dimension(1, 8), Dimension(1, 5)}));
  EXPECT_FALSE(ShapeOf(InferOne(ReduceSumOp(), KeepDims(true),
                                {Known(ElementType::kF32, PartialShape::DynamicRank()), Constant(I64({1}, {0}))}))
                   .has_rank());
}

TEST(ReductionTest, C2_RefusesBadAxes) {
  const Tensor data = F32({2, 2}, {1, 2, 3, 4});
  for (const Tensor& axes : {I64({1}, {2}), I64({1}, {-3}), I64({2}, {1, 1}), I64({2}, {1, -1}), I64({1, 1}, {0}),
                             F32({1}, {0}), I64({1}, {INT64_MIN})}) {
    EXPECT_THAT(Evaluate(ReduceSumOp(), ReductionAttributes(), {data, axes}).status(),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("ReduceSum_c2")))
        << axes.ToString();
  }
}

TEST(ReductionTest, SplitsIntoSlices) {
  const SliceSplit split = SplitIntoSlices({2, 3, 2}, {1});
  EXPECT_THAT(split.slice_offsets, ElementsAre(0, 1, 6, 7));
  EXPECT_THAT(split.element_offsets, ElementsAre(0, 2, 4));
  EXPECT_THAT(SplitIntoSlices({}, {}).slice_offsets, ElementsAre(0));
  EXPECT_TRUE(SplitIntoSlices({0, 3}, {1}).slice_offsets.empty());
}

}  // namespace
}  // namespace burin::ir
