#include "ir/ops/eye.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>

#include "absl/status/status.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::HasSubstr;

EyeAttributes Type(ElementType type) {
  EyeAttributes attributes;
  attributes.output_type = type;
  return attributes;
}

absl::StatusOr<Tensor> Matrix(ElementType type, int64_t rows, int64_t columns, int64_t diagonal) {
  return Evaluate(EyeOp(), Type(type), {I64({}, {rows}), I64({1}, {columns}), I32({}, {diagonal})});
}

TEST(EyeTest, FillsOneDiagonal) {
  ASSERT_OK_AND_ASSIGN(const Tensor upper, Matrix(ElementType::kI32, 3, 4, 2));
  ExpectTensorEq(upper, I32({3, 4}, {0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0}));
  ASSERT_OK_AND_ASSIGN(const Tensor lower, Matrix(ElementType::kU8, 3, 4, -1));
  ExpectTensorEq(lower, U8({3, 4}, {0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0}));
  ASSERT_OK_AND_ASSIGN(const Tensor tall, Matrix(ElementType::kF16, 3, 1, 0));
  ExpectTensorEq(tall, F16({3, 1}, {1, 0, 0}));
  ASSERT_OK_AND_ASSIGN(const Tensor outside, Matrix(ElementType::kF32, 2, 2, 5));
  ExpectTensorEq(outside, F32({2, 2}, {0, 0, 0, 0}));
  ASSERT_OK_AND_ASSIGN(const Tensor below,
                       Evaluate(EyeOp(), Type(ElementType::kI8), {I64({}, {1}), I64({}, {1}), I64({}, {INT64_MIN})}));
  ExpectTensorEq(below, I8({1, 1}, {0}));
}

TEST(EyeTest, RepeatsForABatch) {
  ASSERT_OK_AND_ASSIGN(const Tensor batch, Evaluate(EyeOp(), Type(ElementType::kI64),
                                                    {I32({}, {1}), I32({}, {2}), I32({}, {1}), I32({2}, {2, 1})}));
  ExpectTensorEq(batch, I64({2, 1, 1, 2}, {0, 1, 0, 1}));
  ASSERT_OK_AND_ASSIGN(const Tensor empty, Matrix(ElementType::kF32, 0, 3, 0));
  ExpectTensorEq(empty, F32({0, 3}, {}));
}

TEST(EyeTest, InfersPartialShapes) {
  const Dimension n = Dimension::Symbol("n");
  const ValueInfo any = Known(ElementType::kI64, {});
  ASSERT_OK_AND_ASSIGN(const ValueInfo info,
                       InferOne(EyeOp(), EyeAttributes(), {PartialScalar(n), any, any, Partial({2})}));
  EXPECT_EQ(info.shape, PartialShape({2, n, Dimension()}));
  ASSERT_OK_AND_ASSIGN(const ValueInfo rank,
                       InferOne(EyeOp(), EyeAttributes(), {any, any, any, Known(ElementType::kI64, {Dimension()})}));
  EXPECT_FALSE(rank.shape.has_rank());
}

TEST(EyeTest, C1RejectsSizes) {
  EXPECT_THAT(Matrix(ElementType::kF32, -1, 1, 0), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Eye_c1")));
  EXPECT_THAT(Evaluate(EyeOp(), EyeAttributes(), {I64({}, {1}), I64({}, {1}), F32({}, {0})}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Eye_c1")));
}

TEST(EyeTest, C2RejectsBatchShapes) {
  const Tensor one = I64({}, {1});
  EXPECT_THAT(Evaluate(EyeOp(), EyeAttributes(), {one, one, one, I64({1}, {-1})}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Eye_c2")));
}

TEST(EyeTest, C3RejectsTypesAndRanks) {
  EXPECT_THAT(Matrix(ElementType::kBoolean, 1, 1, 0),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Eye_c3")));
  const ValueInfo any = Known(ElementType::kI64, {});
  EXPECT_THAT(InferOne(EyeOp(), EyeAttributes(), {any, any, any, Known(ElementType::kI64, {64})}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Eye_c3")));
}

}  // namespace
}  // namespace burin::ir
