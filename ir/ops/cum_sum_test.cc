#include "ir/ops/cum_sum.h"

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

CumSumAttributes Make(bool exclusive, bool reverse) {
  CumSumAttributes attributes;
  attributes.exclusive = exclusive;
  attributes.reverse = reverse;
  return attributes;
}

TEST(CumSumTest, SumsInEveryDirection) {
  const Tensor data = F32({5}, {1, 2, 3, 4, 5});
  const Tensor axis = I64({}, {0});
  const auto sums = [&](bool exclusive, bool reverse) {
    return Evaluate(CumSumOp(), Make(exclusive, reverse), {data, axis});
  };
  ASSERT_OK_AND_ASSIGN(const Tensor plain, sums(false, false));
  ExpectTensorEq(plain, F32({5}, {1, 3, 6, 10, 15}));
  ASSERT_OK_AND_ASSIGN(const Tensor exclusive, sums(true, false));
  ExpectTensorEq(exclusive, F32({5}, {0, 1, 3, 6, 10}));
  ASSERT_OK_AND_ASSIGN(const Tensor reverse, sums(false, true));
  ExpectTensorEq(reverse, F32({5}, {15, 14, 12, 9, 5}));
  ASSERT_OK_AND_ASSIGN(const Tensor both, sums(true, true));
  ExpectTensorEq(both, F32({5}, {14, 12, 9, 5, 0}));
}

TEST(CumSumTest, SumsAlongAnAxis) {
  ASSERT_OK_AND_ASSIGN(const Tensor rows,
                       Evaluate(CumSumOp(), CumSumAttributes(), {I32({2, 2}, {1, 2, 3, 4}), I32({1}, {-1})}));
  ExpectTensorEq(rows, I32({2, 2}, {1, 3, 3, 7}));
  ASSERT_OK_AND_ASSIGN(const Tensor columns, Evaluate(CumSumOp(), CumSumAttributes(), {F16({2, 2}, {1, 2, 3, 4})}));
  ExpectTensorEq(columns, F16({2, 2}, {1, 2, 4, 6}));
}

TEST(CumSumTest, IntegersWrapAndEmptyTensorsStay) {
  ASSERT_OK_AND_ASSIGN(const Tensor wrapped, Evaluate(CumSumOp(), CumSumAttributes(), {U8({2}, {200, 100})}));
  ExpectTensorEq(wrapped, U8({2}, {200, 44}));
  ASSERT_OK_AND_ASSIGN(const Tensor wide, Evaluate(CumSumOp(), CumSumAttributes(), {I64({2}, {INT64_MAX, 1})}));
  ExpectTensorEq(wide, I64({2}, {INT64_MAX, INT64_MIN}));
  ASSERT_OK_AND_ASSIGN(const Tensor empty, Evaluate(CumSumOp(), CumSumAttributes(), {F32({0, 2}, {})}));
  ExpectTensorEq(empty, F32({0, 2}, {}));
}

TEST(CumSumTest, RoundsOnceAtTheEnd) {
  // In f16, 2048 + 1 + 1 would stay at 2048 when rounded after each addition.
  ASSERT_OK_AND_ASSIGN(const Tensor sums, Evaluate(CumSumOp(), CumSumAttributes(), {F16({3}, {2048, 1, 1})}));
  ExpectTensorEq(sums, F16({3}, {2048, 2048, 2050}));
}

TEST(CumSumTest, KeepsTheShape) {
  const PartialShape shape = {Dimension::Symbol("n"), 3};
  ASSERT_OK_AND_ASSIGN(const ValueInfo info, InferOne(CumSumOp(), CumSumAttributes(),
                                                      {Known(ElementType::kF32, shape), Known(ElementType::kI64, {})}));
  EXPECT_EQ(info.shape, shape);
}

TEST(CumSumTest, RejectsByConstraint) {
  EXPECT_THAT(Evaluate(CumSumOp(), CumSumAttributes(), {Bool({1}, {1})}), StatusIs(kInvalid, HasSubstr("CumSum_c1")));
  EXPECT_THAT(Evaluate(CumSumOp(), CumSumAttributes(), {F32({1}, {1}), I64({}, {1})}),
              StatusIs(kInvalid, HasSubstr("CumSum_c2")));
  EXPECT_THAT(Evaluate(CumSumOp(), CumSumAttributes(), {F32({1}, {1}), F32({}, {0})}),
              StatusIs(kInvalid, HasSubstr("CumSum_c2")));
}

}  // namespace
}  // namespace burin::ir
