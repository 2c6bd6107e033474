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

TEST(AddTest, AddsWithBroadcasting) {
  ExpectEvaluates(AddOp(), BroadcastAttributes(), {F32({2, 1}, {1, 2}), F32({3}, {10, 20, 30})},
                  F32({2, 3}, {11, 21, 31, 12, 22, 32}));
  ExpectEvaluates(AddOp(), BroadcastAttributes(), {F32({}, {1}), F32({}, {2.5})}, F32({}, {3.5}));
  ExpectEvaluates(AddOp(), BroadcastAttributes(), {F32({2, 0}, {}), F32({1}, {1})}, F32({2, 0}, {}));
  ExpectEvaluates(AddOp(), BroadcastAttributes(), {F16({2}, {1, 2048}), F16({1}, {1})}, F16({2}, {2, 2048}));
  ExpectEvaluates(AddOp(), BroadcastAttributes(), {BF16({2}, {1, 2}), BF16({2}, {3, 4})}, BF16({2}, {4, 6}));
}

TEST(AddTest, IntegersWrap) {
  ExpectEvaluates(AddOp(), BroadcastAttributes(), {I8({2}, {127, 1}), I8({}, {1})}, I8({2}, {-128, 2}));
  ExpectEvaluates(AddOp(), BroadcastAttributes(), {U8({1}, {255}), U8({1}, {2})}, U8({1}, {1}));
  ExpectEvaluates(AddOp(), BroadcastAttributes(), {I64({1}, {std::numeric_limits<int64_t>::max()}), I64({1}, {1})},
                  I64({1}, {std::numeric_limits<int64_t>::min()}));
  ExpectEvaluates(AddOp(), BroadcastAttributes(),
                  {IntTensor(ElementType::kI4, {3}, {7, 1, -8}), IntTensor(ElementType::kI4, {}, {1})},
                  IntTensor(ElementType::kI4, {3}, {-8, 2, -7}));
}

TEST(AddTest, AddsKnownContentAndKeepsSymbols) {
  const PartialValue a = {Dimension::Symbol("n"), Dimension(2, 8), 4};
  const PartialValue b = {0, 1, Dimension(0, 1)};
  ASSERT_OK_AND_ASSIGN(const ValueInfo out, InferOne(AddOp(), BroadcastAttributes(), {Partial(a), Partial(b)}));
  const PartialValue expected = {Dimension::Symbol("n"), Dimension(3, 9), Dimension(4, 5)};
  EXPECT_EQ(out.content, expected);
}

TEST(AddTest, Add_c1_RejectsMixedTypesAndBoolean) {
  ExpectInferFails(AddOp(), BroadcastAttributes(), {Known(ElementType::kF32, {2}), Known(ElementType::kI32, {2})},
                   "Add_c1");
  ExpectInferFails(AddOp(), BroadcastAttributes(),
                   {Known(ElementType::kBoolean, {2}), Known(ElementType::kBoolean, {2})}, "Add_c1");
}

TEST(AddTest, Add_c2_RejectsShapesThatDoNotBroadcast) {
  ExpectInferFails(AddOp(), BroadcastAttributes(), {Known(ElementType::kF32, {2}), Known(ElementType::kF32, {3})},
                   "Add_c2");
}

}  // namespace
}  // namespace burin::ir
