#include "ir/ops/gather_elements.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::HasSubstr;

constexpr absl::StatusCode kInvalid = absl::StatusCode::kInvalidArgument;

absl::StatusOr<Tensor> Taken(const Tensor& data, const Tensor& indices, int64_t axis) {
  GatherElementsAttributes attributes;
  attributes.axis = axis;
  return Evaluate(GatherElementsOp(), attributes, {data, indices});
}

// The examples are those of the operation's specification.
TEST(GatherElementsTest, TakesElements) {
  ASSERT_OK_AND_ASSIGN(const Tensor square, Taken(F32({2, 2}, {1, 2, 3, 4}), I32({2, 2}, {0, 1, 0, 0}), 0));
  ExpectTensorEq(square, F32({2, 2}, {1, 4, 1, 2}));
  ASSERT_OK_AND_ASSIGN(const Tensor wider, Taken(I64({2, 2}, {1, 7, 4, 3}), I64({2, 3}, {1, 1, 0, 1, 0, 1}), -1));
  ExpectTensorEq(wider, I64({2, 3}, {7, 7, 1, 3, 4, 3}));
  ASSERT_OK_AND_ASSIGN(const Tensor lower,
                       Taken(U8({3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}), I32({2, 3}, {1, 0, 1, 1, 2, 0}), 0));
  ExpectTensorEq(lower, U8({2, 3}, {4, 2, 6, 4, 8, 3}));
}

TEST(GatherElementsTest, NegativeIndicesAndEmptyTensors) {
  ASSERT_OK_AND_ASSIGN(const Tensor last, Taken(Bool({3}, {0, 0, 1}), I64({1}, {-1}), 0));
  ExpectTensorEq(last, Bool({1}, {1}));
  ASSERT_OK_AND_ASSIGN(const Tensor none, Taken(F32({3}, {1, 2, 3}), I64({0}, {}), 0));
  ExpectTensorEq(none, F32({0}, {}));
}

TEST(GatherElementsTest, TakesTheShapeOfTheIndices) {
  const Dimension n = Dimension::Symbol("n");
  ASSERT_OK_AND_ASSIGN(const ValueInfo info,
                       InferOne(GatherElementsOp(), GatherElementsAttributes(),
                                {Known(ElementType::kF32, {4, 5}), Known(ElementType::kI64, {n, 5})}));
  EXPECT_EQ(info.shape, PartialShape({n, 5}));
  ASSERT_OK_AND_ASSIGN(const ValueInfo rank, InferOne(GatherElementsOp(), GatherElementsAttributes(),
                                                      {Known(ElementType::kF32, {4, 5}),
                                                       Known(ElementType::kI64, PartialShape::DynamicRank())}));
  EXPECT_EQ(rank.shape, PartialShape::OfRank(2));
}

TEST(GatherElementsTest, C1RejectsIndices) {
  EXPECT_THAT(Taken(F32({1}, {1}), F32({1}, {0}), 0), StatusIs(kInvalid, HasSubstr("GatherElements_c1")));
  EXPECT_THAT(Taken(F32({1}, {1}), I64({1, 1}, {0}), 0), StatusIs(kInvalid, HasSubstr("GatherElements_c1")));
  EXPECT_THAT(Taken(F32({}, {1}), I64({}, {0}), 0), StatusIs(kInvalid, HasSubstr("GatherElements_c1")));
}

TEST(GatherElementsTest, C2RejectsAxes) {
  EXPECT_THAT(Taken(F32({1}, {1}), I64({1}, {0}), 1), StatusIs(kInvalid, HasSubstr("GatherElements_c2")));
}

TEST(GatherElementsTest, C3RejectsLargerIndices) {
  EXPECT_THAT(Taken(F32({1, 1}, {1}), I64({1, 2}, {0, 0}), 0), StatusIs(kInvalid, HasSubstr("GatherElements_c3")));
}

TEST(GatherElementsTest, C4RejectsIndicesOutside) {
  EXPECT_THAT(Taken(F32({2}, {1, 2}), I64({1}, {2}), 0), StatusIs(kInvalid, HasSubstr("GatherElements_c4")));
  EXPECT_THAT(Taken(F32({2}, {1, 2}), I64({1}, {-3}), 0), StatusIs(kInvalid, HasSubstr("GatherElements_c4")));
}

}  // namespace
}  // namespace burin::ir
