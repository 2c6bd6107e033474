#include "ir/ops/divide.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "base/element_type.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

DivideAttributes Truncating() {
  DivideAttributes attributes;
  attributes.m_pythondiv = false;
  return attributes;
}

TEST(DivideTest, DividesFloats) {
  ExpectEvaluates(DivideOp(), DivideAttributes(), {F32({4}, {-7, 1, -1, 0}), F32({4}, {2, 0, 0, 0})},
                  F32({4}, {-3.5, kInf, -kInf, kNan}));
  ExpectEvaluates(DivideOp(), Truncating(), {F16({2, 1}, {1, 3}), F16({2}, {2, 4})},
                  F16({2, 2}, {0.5, 0.25, 1.5, 0.75}));
}

TEST(DivideTest, FloorsOrTruncatesIntegers) {
  const Tensor a = I32({5}, {7, -7, 7, -7, 6});
  const Tensor b = I32({5}, {2, 2, -2, -2, 0});
  ExpectEvaluates(DivideOp(), DivideAttributes(), {a, b}, I32({5}, {3, -4, -4, 3, 0}));
  ExpectEvaluates(DivideOp(), Truncating(), {a, b}, I32({5}, {3, -3, -3, 3, 0}));
  ExpectEvaluates(DivideOp(), Truncating(), {U8({2}, {200, 1}), U8({2}, {3, 0})}, U8({2}, {66, 0}));
  ExpectEvaluates(DivideOp(), DivideAttributes(),
                  {IntTensor(ElementType::kU64, {1}, {-1}), IntTensor(ElementType::kU64, {1}, {2})},
                  IntTensor(ElementType::kU64, {1}, {std::numeric_limits<int64_t>::max()}));
}

TEST(DivideTest, TheMostNegativeIntegerWraps) {
  for (const DivideAttributes& attributes : {DivideAttributes(), Truncating()}) {
    ExpectEvaluates(DivideOp(), attributes, {I8({1}, {-128}), I8({1}, {-1})}, I8({1}, {-128}));
    const int64_t min = std::numeric_limits<int64_t>::min();
    ExpectEvaluates(DivideOp(), attributes, {I64({1}, {min}), I64({1}, {-1})}, I64({1}, {min}));
  }
}

TEST(DivideTest, DividesKnownContent) {
  const PartialValue a = {Dimension::Symbol("n"), Dimension(1, 9, "n"), Dimension(4, 9), Dimension(-3, 9)};
  const PartialValue b = {1, Dimension(1, 9, "n"), 2, 2};
  ASSERT_OK_AND_ASSIGN(const ValueInfo floored, InferOne(DivideOp(), DivideAttributes(), {Partial(a), Partial(b)}));
  const PartialValue expected = {Dimension::Symbol("n"), 1, Dimension(2, 4), Dimension(-2, 4)};
  EXPECT_EQ(floored.content, expected);
  ASSERT_OK_AND_ASSIGN(const ValueInfo truncated, InferOne(DivideOp(), Truncating(), {Partial(a), Partial(b)}));
  ASSERT_TRUE(truncated.content.has_value());
  EXPECT_EQ((*truncated.content)[3], Dimension(-1, 4));
}

TEST(DivideTest, KnowsNothingOfADivisionByWhatMayBeZero) {
  for (const DivideAttributes& attributes : {DivideAttributes(), Truncating()}) {
    ASSERT_OK_AND_ASSIGN(const ValueInfo out,
                         InferOne(DivideOp(), attributes, {Partial({Dimension(4, 9)}), Partial({Dimension(0, 2)})}));
    ASSERT_TRUE(out.content.has_value());
    EXPECT_EQ((*out.content)[0], Dimension::AnyValue());
  }
}

TEST(DivideTest, Divide_c1_RejectsMixedTypesAndBoolean) {
  ExpectInferFails(DivideOp(), DivideAttributes(), {Known(ElementType::kF32, {2}), Known(ElementType::kI32, {2})},
                   "Divide_c1");
  ExpectInferFails(DivideOp(), DivideAttributes(),
                   {Known(ElementType::kBoolean, {2}), Known(ElementType::kBoolean, {2})}, "Divide_c1");
}

TEST(DivideTest, Divide_c2_RejectsShapesThatDoNotBroadcast) {
  ExpectInferFails(DivideOp(), DivideAttributes(), {Known(ElementType::kF32, {2}), Known(ElementType::kF32, {3})},
                   "Divide_c2");
}

}  // namespace
}  // namespace burin::ir
