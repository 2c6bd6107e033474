#include <gtest/gtest.h>

#include "base/element_type.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/ops/family/elementwise.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

TEST(SubtractTest, SubtractsWithBroadcasting) {
  ExpectEvaluates(SubtractOp(), BroadcastAttributes(), {F32({2, 1}, {1, 2}), F32({3}, {10, 20, 30})},
                  F32({2, 3}, {-9, -19, -29, -8, -18, -28}));
  ExpectEvaluates(SubtractOp(), BroadcastAttributes(), {F64({1}, {0.5}), F64({}, {2})}, F64({1}, {-1.5}));
}

TEST(SubtractTest, IntegersWrap) {
  ExpectEvaluates(SubtractOp(), BroadcastAttributes(), {I8({1}, {-128}), I8({1}, {1})}, I8({1}, {127}));
  ExpectEvaluates(SubtractOp(), BroadcastAttributes(), {U8({2}, {1, 5}), U8({1}, {2})}, U8({2}, {255, 3}));
}

TEST(SubtractTest, KnowsThatASymbolMinusItselfIsZero) {
  const PartialValue a = {Dimension::Symbol("n"), Dimension(2, 8, "m"), 4};
  const PartialValue b = {Dimension::Symbol("n"), 0, Dimension(0, 1)};
  ASSERT_OK_AND_ASSIGN(const ValueInfo out, InferOne(SubtractOp(), BroadcastAttributes(), {Partial(a), Partial(b)}));
  const PartialValue expected = {0, Dimension(2, 8, "m"), Dimension(3, 4)};
  EXPECT_EQ(out.content, expected);
}

TEST(SubtractTest, Subtract_c1_RejectsMixedTypesAndBoolean) {
  ExpectInferFails(SubtractOp(), BroadcastAttributes(), {Known(ElementType::kF32, {2}), Known(ElementType::kI32, {2})},
                   "Subtract_c1");
  ExpectInferFails(SubtractOp(), BroadcastAttributes(),
                   {Known(ElementType::kBoolean, {2}), Known(ElementType::kBoolean, {2})}, "Subtract_c1");
}

TEST(SubtractTest, Subtract_c2_RejectsShapesThatDoNotBroadcast) {
  ExpectInferFails(SubtractOp(), BroadcastAttributes(), {Known(ElementType::kF32, {2}), Known(ElementType::kF32, {3})},
                   "Subtract_c2");
}

}  // namespace
}  // namespace burin::ir
