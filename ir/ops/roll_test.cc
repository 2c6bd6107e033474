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

absl::StatusOr<Tensor> Rolled(const Tensor& data, const Tensor& shift, const Tensor& axes) {
  return Evaluate(RollOp(), NoAttributes(), {data, shift, axes});
}

const Tensor& Rows() {
  static const Tensor rows = F32({4, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  return rows;
}

// The examples are those of the operation's specification.
TEST(RollTest, ShiftsAlongAxes) {
  ASSERT_OK_AND_ASSIGN(const Tensor one, Rolled(Rows(), I64({}, {1}), I64({}, {0})));
  ExpectTensorEq(one, F32({4, 3}, {10, 11, 12, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  ASSERT_OK_AND_ASSIGN(const Tensor both, Rolled(Rows(), I32({2}, {-1, 2}), I32({2}, {0, 1})));
  ExpectTensorEq(both, F32({4, 3}, {5, 6, 4, 8, 9, 7, 11, 12, 10, 2, 3, 1}));
  ASSERT_OK_AND_ASSIGN(const Tensor repeated, Rolled(Rows(), I64({3}, {1, 2, 1}), I64({3}, {0, 1, 0})));
  ExpectTensorEq(repeated, F32({4, 3}, {8, 9, 7, 11, 12, 10, 2, 3, 1, 5, 6, 4}));
}

TEST(RollTest, OneShiftServesAllAxesAndWraps) {
  ASSERT_OK_AND_ASSIGN(const Tensor all, Rolled(U8({2, 2}, {1, 2, 3, 4}), I64({}, {INT64_MAX}), I64({2}, {0, -1})));
  ExpectTensorEq(all, U8({2, 2}, {4, 3, 2, 1}));
  ASSERT_OK_AND_ASSIGN(const Tensor lowest, Rolled(I64({3}, {1, 2, 3}), I64({1}, {INT64_MIN}), I64({1}, {0})));
  ExpectTensorEq(lowest, I64({3}, {3, 1, 2}));
  ASSERT_OK_AND_ASSIGN(const Tensor none, Rolled(F32({0, 2}, {}), I64({}, {1}), I64({}, {0})));
  ExpectTensorEq(none, F32({0, 2}, {}));
}

TEST(RollTest, KeepsTheShape) {
  const PartialShape shape = {Dimension::Symbol("n"), 3};
  ASSERT_OK_AND_ASSIGN(const ValueInfo info, InferOne(RollOp(), NoAttributes(),
                                                      {Known(ElementType::kF32, shape), Known(ElementType::kI64, {2}),
                                                       Known(ElementType::kI64, {Dimension()})}));
  EXPECT_EQ(info.shape, shape);
}

TEST(RollTest, RejectsByConstraint) {
  EXPECT_THAT(Rolled(Rows(), F32({}, {1}), I64({}, {0})), StatusIs(kInvalid, HasSubstr("Roll_c1")));
  EXPECT_THAT(Rolled(Rows(), I64({}, {1}), I64({1, 1}, {0})), StatusIs(kInvalid, HasSubstr("Roll_c1")));
  EXPECT_THAT(Rolled(Rows(), I64({2}, {1, 1}), I64({1}, {0})), StatusIs(kInvalid, HasSubstr("Roll_c2")));
  EXPECT_THAT(Rolled(Rows(), I64({}, {1}), I64({}, {2})), StatusIs(kInvalid, HasSubstr("Roll_c3")));
}

}  // namespace
}  // namespace burin::ir
