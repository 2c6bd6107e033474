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

absl::StatusOr<Tensor> Permute(const Tensor& data, const std::vector<int64_t>& order) {
  return Evaluate(TransposeOp(), NoAttributes(), {data, I64({static_cast<int64_t>(order.size())}, order)});
}

TEST(TransposeTest, PermutesDimensions) {
  const Tensor data = F32({2, 3}, {1, 2, 3, 4, 5, 6});
  ASSERT_OK_AND_ASSIGN(const Tensor swapped, Permute(data, {1, 0}));
  ExpectTensorEq(swapped, F32({3, 2}, {1, 4, 2, 5, 3, 6}));
  ASSERT_OK_AND_ASSIGN(const Tensor rotated, Permute(I64({1, 2, 2}, {1, 2, 3, 4}), {2, 0, 1}));
  ExpectTensorEq(rotated, I64({2, 1, 2}, {1, 3, 2, 4}));
}

TEST(TransposeTest, EmptyOrderReverses) {
  ASSERT_OK_AND_ASSIGN(const Tensor reversed, Permute(U8({1, 2, 3}, {1, 2, 3, 4, 5, 6}), {}));
  ExpectTensorEq(reversed, U8({3, 2, 1}, {1, 4, 2, 5, 3, 6}));
  ASSERT_OK_AND_ASSIGN(const Tensor scalar, Permute(F32({}, {7}), {}));
  ExpectTensorEq(scalar, F32({}, {7}));
}

TEST(TransposeTest, MovesEveryWidth) {
  for (const ElementType type : {ElementType::kU2, ElementType::kI4, ElementType::kI8, ElementType::kI16,
                                 ElementType::kI32, ElementType::kI64}) {
    ASSERT_OK_AND_ASSIGN(const Tensor swapped, Permute(IntTensor(type, {2, 3}, {1, 0, 1, 1, 1, 0}), {1, 0}));
    ExpectTensorEq(swapped, IntTensor(type, {3, 2}, {1, 1, 0, 1, 1, 0}));
  }
  ASSERT_OK_AND_ASSIGN(const Tensor f4,
                       Permute(FloatTensor(ElementType::kF4E2M1, {2, 3}, {0.5, 1, -1.5, 2, 3, -6}), {1, 0}));
  ExpectTensorEq(f4, FloatTensor(ElementType::kF4E2M1, {3, 2}, {0.5, 2, 1, 3, -1.5, -6}));
}

TEST(TransposeTest, EmptyTensors) {
  ASSERT_OK_AND_ASSIGN(const Tensor swapped, Permute(F32({0, 3}, {}), {1, 0}));
  ExpectTensorEq(swapped, F32({3, 0}, {}));
}

TEST(TransposeTest, KeepsSymbols) {
  const PartialShape data = {Dimension::Symbol("batch"), 12, Dimension::Symbol("length")};
  ASSERT_OK_AND_ASSIGN(const ValueInfo info, InferOne(TransposeOp(), NoAttributes(),
                                                      {Known(ElementType::kF32, data), Constant(I64({3}, {2, 0, 1}))}));
  EXPECT_EQ(info.shape, PartialShape({Dimension::Symbol("length"), Dimension::Symbol("batch"), 12}));
}

TEST(TransposeTest, AcceptsUnknowns) {
  ASSERT_OK_AND_ASSIGN(
      const ValueInfo order,
      InferOne(TransposeOp(), NoAttributes(), {Known(ElementType::kF32, {2, 3}), Known(ElementType::kI64, {2})}));
  EXPECT_EQ(order.shape, PartialShape::OfRank(2));
  ASSERT_OK_AND_ASSIGN(const ValueInfo rank,
                       InferOne(TransposeOp(), NoAttributes(),
                                {Known(ElementType::kF32, PartialShape::DynamicRank()), Constant(I32({2}, {1, 0}))}));
  EXPECT_EQ(rank.shape, PartialShape::OfRank(2));
}

TEST(TransposeTest, C1RejectsOtherOrders) {
  EXPECT_THAT(Evaluate(TransposeOp(), NoAttributes(), {F32({1}, {1}), F32({1}, {0})}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Transpose_c1")));
  EXPECT_THAT(Evaluate(TransposeOp(), NoAttributes(), {F32({1}, {1}), I64({1, 1}, {0})}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Transpose_c1")));
}

TEST(TransposeTest, C2RejectsWhatIsNoPermutation) {
  for (const std::vector<int64_t>& order : {std::vector<int64_t>{0}, {0, 0}, {0, 2}, {-1, 0}, {0, 1, 2}}) {
    EXPECT_THAT(Permute(F32({1, 1}, {1}), order),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("Transpose_c2")));
  }
}

}  // namespace
}  // namespace burin::ir
