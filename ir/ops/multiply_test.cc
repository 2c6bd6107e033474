#include <gtest/gtest.h>

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

constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(MultiplyTest, MultipliesWithBroadcasting) {
  ExpectEvaluates(MultiplyOp(), BroadcastAttributes(), {F32({2, 1}, {1, 2}), F32({3}, {10, 20, 30})},
                  F32({2, 3}, {10, 20, 30, 20, 40, 60}));
  ExpectEvaluates(MultiplyOp(), BroadcastAttributes(), {F16({2}, {300, -2}), F16({2}, {300, 2})}, F16({2}, {kInf, -4}));
}

TEST(MultiplyTest, IntegersWrap) {
  ExpectEvaluates(MultiplyOp(), BroadcastAttributes(), {I8({2}, {16, -3}), I8({2}, {16, 5})}, I8({2}, {0, -15}));
  ExpectEvaluates(MultiplyOp(), BroadcastAttributes(), {U8({1}, {100}), U8({1}, {3})}, U8({1}, {44}));
  ExpectEvaluates(MultiplyOp(), BroadcastAttributes(), {I32({1}, {65536}), I32({1}, {65536})}, I32({1}, {0}));
}

TEST(MultiplyTest, MultipliesKnownContentAndKeepsSymbols) {
  const PartialValue a = {Dimension::Symbol("n"), Dimension(2, 8), 4};
  const PartialValue b = {1, 3, Dimension(0, 1)};
  ASSERT_OK_AND_ASSIGN(const ValueInfo out, InferOne(MultiplyOp(), BroadcastAttributes(), {Partial(a), Partial(b)}));
  const PartialValue expected = {Dimension::Symbol("n"), Dimension(6, 24), Dimension(0, 4)};
  EXPECT_EQ(out.content, expected);
}

TEST(MultiplyTest, Multiply_c1_RejectsMixedTypesAndBoolean) {
  ExpectInferFails(MultiplyOp(), BroadcastAttributes(), {Known(ElementType::kF32, {2}), Known(ElementType::kI32, {2})},
                   "Multiply_c1");
  ExpectInferFails(MultiplyOp(), BroadcastAttributes(),
                   {Known(ElementType::kBoolean, {2}), Known(ElementType::kBoolean, {2})}, "Multiply_c1");
}

TEST(MultiplyTest, Multiply_c2_RejectsShapesThatDoNotBroadcast) {
  ExpectInferFails(MultiplyOp(), BroadcastAttributes(), {Known(ElementType::kF32, {2}), Known(ElementType::kF32, {3})},
                   "Multiply_c2");
}

}  // namespace
}  // namespace burin::ir
