#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/status/status.h"
#include "base/element_type.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/ops/family/cumulative.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/tensor.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::HasSubstr;

constexpr absl::StatusCode kInvalid = absl::StatusCode::kInvalidArgument;

CumulativeAttributes Make(bool exclusive, bool reverse) {
  CumulativeAttributes attributes;
  attributes.exclusive = exclusive;
  attributes.reverse = reverse;
  return attributes;
}

TEST(CumProdTest, MultipliesInEveryDirection) {
  const auto expect = [](bool exclusive, bool reverse, const Tensor& products) {
    ExpectEvaluates(CumProdOp(), Make(exclusive, reverse), {F32({4}, {2, 3, 4, 5}), I64({}, {0})}, products);
  };
  expect(false, false, F32({4}, {2, 6, 24, 120}));
  expect(true, false, F32({4}, {1, 2, 6, 24}));
  expect(false, true, F32({4}, {120, 60, 20, 5}));
  expect(true, true, F32({4}, {60, 20, 5, 1}));
}

TEST(CumProdTest, MultipliesAlongAnAxis) {
  const Tensor data = I32({2, 2}, {1, 2, 3, 4});
  ExpectEvaluates(CumProdOp(), CumulativeAttributes(), {data, I32({1}, {-1})}, I32({2, 2}, {1, 2, 3, 12}));
  ExpectEvaluates(CumProdOp(), CumulativeAttributes(), {data}, I32({2, 2}, {1, 2, 3, 8}));
}

TEST(CumProdTest, IntegersWrapAndEmptyTensorsStay) {
  ExpectEvaluates(CumProdOp(), CumulativeAttributes(), {U8({3}, {100, 3, 2})}, U8({3}, {100, 44, 88}));
  // 3 * 2^62 is beyond i64, and 4 times that is 0 modulo 2^64.
  ExpectEvaluates(CumProdOp(), CumulativeAttributes(), {IntTensor(ElementType::kU64, {3}, {1LL << 62, 3, 4})},
                  IntTensor(ElementType::kU64, {3}, {1LL << 62, -(1LL << 62), 0}));
  ExpectEvaluates(CumProdOp(), CumulativeAttributes(), {F32({0, 2}, {})}, F32({0, 2}, {}));
}

TEST(CumProdTest, RoundsOnceAtTheEnd) {
  // The f16 next to 3 * 683 = 2049 is 2048, and 3 * 2048 = 6144; the product itself, 6147, is next to 6148.
  ExpectEvaluates(CumProdOp(), CumulativeAttributes(), {F16({4}, {683, 3, 3, 1})}, F16({4}, {683, 2048, 6148, 6148}));
}

TEST(CumProdTest, KeepsTheShape) {
  const PartialShape shape = {Dimension::Symbol("n"), 3};
  for (const PartialShape& known : {shape, PartialShape::DynamicRank()}) {
    ASSERT_OK_AND_ASSIGN(
        const ValueInfo info,
        InferOne(CumProdOp(), CumulativeAttributes(), {Known(ElementType::kF32, known), Known(ElementType::kI64, {})}));
    EXPECT_EQ(info.shape, known);
  }
}

TEST(CumProdTest, RejectsByConstraint) {
  EXPECT_THAT(Evaluate(CumProdOp(), CumulativeAttributes(), {Bool({1}, {1})}),
              StatusIs(kInvalid, HasSubstr("CumProd_c1")));
  EXPECT_THAT(Evaluate(CumProdOp(), CumulativeAttributes(), {F32({1}, {1}), I64({}, {1})}),
              StatusIs(kInvalid, HasSubstr("CumProd_c2")));
  EXPECT_THAT(Evaluate(CumProdOp(), CumulativeAttributes(), {F32({}, {1})}),
              StatusIs(kInvalid, HasSubstr("CumProd_c2")));
  EXPECT_THAT(Evaluate(CumProdOp(), CumulativeAttributes(), {F32({2}, {1, 2}), I64({2}, {0, 1})}),
              StatusIs(kInvalid, HasSubstr("CumProd_c2")));
}

}  // namespace
}  // namespace burin::ir
