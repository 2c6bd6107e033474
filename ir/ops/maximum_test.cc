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

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(MaximumTest, TakesTheLarger) {
  ExpectEvaluates(MaximumOp(), BroadcastAttributes(), {F32({4}, {1, -2, kNan, 1}), F32({4}, {0, 5, 1, kNan})},
                  F32({4}, {1, 5, kNan, kNan}));
  ExpectEvaluates(MaximumOp(), BroadcastAttributes(), {I32({2}, {-1, 7}), I32({}, {3})}, I32({2}, {3, 7}));
  ExpectEvaluates(MaximumOp(), BroadcastAttributes(), {U8({1}, {200}), U8({1}, {100})}, U8({1}, {200}));
  ExpectEvaluates(MaximumOp(), BroadcastAttributes(),
                  {IntTensor(ElementType::kU64, {2}, {-1, 1}), IntTensor(ElementType::kU64, {2}, {1, 2})},
                  IntTensor(ElementType::kU64, {2}, {-1, 2}));
}

TEST(MaximumTest, KnowsTheLargerOfIntervals) {
  const PartialValue a = {Dimension(4, 8, "n"), Dimension(2, 8)};
  const PartialValue b = {3, 5};
  ASSERT_OK_AND_ASSIGN(const ValueInfo out, InferOne(MaximumOp(), BroadcastAttributes(), {Partial(a), Partial(b)}));
  const PartialValue expected = {Dimension(4, 8, "n"), Dimension(5, 8)};
  EXPECT_EQ(out.content, expected);
}

TEST(MaximumTest, Maximum_c1_RejectsMixedTypesAndBoolean) {
  ExpectInferFails(MaximumOp(), BroadcastAttributes(), {Known(ElementType::kF32, {2}), Known(ElementType::kI32, {2})},
                   "Maximum_c1");
  ExpectInferFails(MaximumOp(), BroadcastAttributes(),
                   {Known(ElementType::kBoolean, {2}), Known(ElementType::kBoolean, {2})}, "Maximum_c1");
}

TEST(MaximumTest, Maximum_c2_RejectsShapesThatDoNotBroadcast) {
  ExpectInferFails(MaximumOp(), BroadcastAttributes(), {Known(ElementType::kF32, {2}), Known(ElementType::kF32, {3})},
                   "Maximum_c2");
}

}  // namespace
}  // namespace burin::ir
