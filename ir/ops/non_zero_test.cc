#include "ir/ops/non_zero.h"

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

TEST(NonZeroTest, ListsIndices) {
  ASSERT_OK_AND_ASSIGN(const Tensor floats,
                       Evaluate(NonZeroOp(), NonZeroAttributes(), {F32({2, 3}, {0, 1, -0.0, 2, 0, -1})}));
  ExpectTensorEq(floats, I64({2, 3}, {0, 1, 1, 1, 0, 2}));
  NonZeroAttributes narrow;
  narrow.output_type = ElementType::kI32;
  ASSERT_OK_AND_ASSIGN(const Tensor booleans, Evaluate(NonZeroOp(), narrow, {Bool({3}, {1, 0, 1})}));
  ExpectTensorEq(booleans, I32({1, 2}, {0, 2}));
  ASSERT_OK_AND_ASSIGN(const Tensor wide, Evaluate(NonZeroOp(), NonZeroAttributes(), {I64({2}, {INT64_MIN, 0})}));
  ExpectTensorEq(wide, I64({1, 1}, {0}));
}

TEST(NonZeroTest, ScalarsAndEmptyTensors) {
  ASSERT_OK_AND_ASSIGN(const Tensor scalar, Evaluate(NonZeroOp(), NonZeroAttributes(), {F32({}, {1})}));
  ExpectTensorEq(scalar, I64({0, 1}, {}));
  ASSERT_OK_AND_ASSIGN(const Tensor empty, Evaluate(NonZeroOp(), NonZeroAttributes(), {F32({2, 0}, {})}));
  ExpectTensorEq(empty, I64({2, 0}, {}));
  ASSERT_OK_AND_ASSIGN(const Tensor zeros, Evaluate(NonZeroOp(), NonZeroAttributes(), {I8({2}, {0, 0})}));
  ExpectTensorEq(zeros, I64({1, 0}, {}));
}

TEST(NonZeroTest, InfersBounds) {
  ASSERT_OK_AND_ASSIGN(const ValueInfo info,
                       InferOne(NonZeroOp(), NonZeroAttributes(), {Known(ElementType::kF32, {2, Dimension(0, 5)})}));
  EXPECT_EQ(info.shape, PartialShape({2, Dimension(0, 10)}));
  ASSERT_OK_AND_ASSIGN(const ValueInfo rank, InferOne(NonZeroOp(), NonZeroAttributes(),
                                                      {Known(ElementType::kF32, PartialShape::DynamicRank())}));
  EXPECT_EQ(rank.shape, PartialShape({Dimension(0, kMaxRank), Dimension()}));
}

TEST(NonZeroTest, C1RejectsOutputTypes) {
  NonZeroAttributes attributes;
  attributes.output_type = ElementType::kU8;
  EXPECT_THAT(Evaluate(NonZeroOp(), attributes, {F32({}, {1})}), StatusIs(kInvalid, HasSubstr("NonZero_c1")));
}

}  // namespace
}  // namespace burin::ir
