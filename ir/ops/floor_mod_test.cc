#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "base/element_type.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/ops/family/elementwise.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(FloorModTest, TakesTheSignOfTheDivisor) {
  ExpectEvaluates(FloorModOp(), BroadcastAttributes(),
                  {F32({5}, {-2.5, 3.5, 2.5, -3.5, 1}), F32({5}, {2, -2, 2, -2, 0})},
                  F32({5}, {1.5, -0.5, 0.5, -1.5, kNan}));
  ExpectEvaluates(FloorModOp(), BroadcastAttributes(), {I32({6}, {-7, 7, 7, -7, 5, 6}), I32({6}, {3, -3, 3, -3, 0, 3})},
                  I32({6}, {2, -2, 1, -1, 0, 0}));
  ExpectEvaluates(FloorModOp(), BroadcastAttributes(), {U8({2}, {200, 7}), U8({2}, {7, 0})}, U8({2}, {4, 0}));
  ExpectEvaluates(FloorModOp(), BroadcastAttributes(),
                  {IntTensor(ElementType::kU64, {1}, {-1}), IntTensor(ElementType::kU64, {1}, {10})},
                  IntTensor(ElementType::kU64, {1}, {5}));
}

TEST(FloorModTest, TheMostNegativeIntegerDoesNotTrap) {
  ExpectEvaluates(FloorModOp(), BroadcastAttributes(), {I32({1}, {-2147483648}), I32({1}, {-1})}, I32({1}, {0}));
  ExpectEvaluates(FloorModOp(), BroadcastAttributes(),
                  {I64({1}, {std::numeric_limits<int64_t>::min()}), I64({1}, {-1})}, I64({1}, {0}));
}

TEST(FloorModTest, BoundsTheRemainder) {
  const PartialValue a = {Dimension(0, 3, "n"), Dimension::Symbol("m"), 9, Dimension(-5, 5)};
  const PartialValue b = {4, 8, 4, 3};
  ASSERT_OK_AND_ASSIGN(const ValueInfo out, InferOne(FloorModOp(), BroadcastAttributes(), {Partial(a), Partial(b)}));
  const PartialValue expected = {Dimension(0, 3, "n"), Dimension(0, 7), 1, Dimension::AnyValue()};
  EXPECT_EQ(out.content, expected);
}

TEST(FloorModTest, FloorMod_c1_RejectsMixedTypesAndBoolean) {
  ExpectInferFails(FloorModOp(), BroadcastAttributes(), {Known(ElementType::kF32, {2}), Known(ElementType::kI32, {2})},
                   "FloorMod_c1");
  ExpectInferFails(FloorModOp(), BroadcastAttributes(),
                   {Known(ElementType::kBoolean, {2}), Known(ElementType::kBoolean, {2})}, "FloorMod_c1");
}

TEST(FloorModTest, FloorMod_c2_RejectsShapesThatDoNotBroadcast) {
  ExpectInferFails(FloorModOp(), BroadcastAttributes(), {Known(ElementType::kF32, {2}), Known(ElementType::kF32, {3})},
                   "FloorMod_c2");
}

}  // namespace
}  // namespace burin::ir
