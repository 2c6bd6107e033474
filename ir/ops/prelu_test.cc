#include <gtest/gtest.h>

#include <limits>

#include "base/element_type.h"
#include "ir/attributes.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(PReluTest, ScalesNegativesByOneSlope) {
  ExpectEvaluates(PReluOp(), NoAttributes(), {F32({4}, {-2, 0, 3, kNan}), F32({1}, {0.25})},
                  F32({4}, {-0.5, 0, 3, kNan}));
  ExpectEvaluates(PReluOp(), NoAttributes(), {F32({}, {-2}), F32({}, {0.25})}, F32({}, {-0.5}));
}

TEST(PReluTest, ScalesPerChannel) {
  ExpectEvaluates(PReluOp(), NoAttributes(), {F32({1, 2, 2}, {-1, 1, -1, -1}), F32({2}, {10, 20})},
                  F32({1, 2, 2}, {-10, 1, -20, -20}));
  ExpectEvaluates(PReluOp(), NoAttributes(), {F16({2, 3}, {-1, -1, -1, 1, 1, 1}), F16({3}, {1, 2, 3})},
                  F16({2, 3}, {-1, -2, -3, 1, 1, 1}));
}

TEST(PReluTest, ElseFollowsNumPy) {
  ExpectEvaluates(PReluOp(), NoAttributes(), {F32({1, 3, 2}, {-1, -1, -1, -1, -1, -1}), F32({2}, {10, 20})},
                  F32({1, 3, 2}, {-10, -20, -10, -20, -10, -20}));
  ExpectEvaluates(PReluOp(), NoAttributes(), {F32({2, 2}, {-1, -1, -1, -1}), F32({2, 1}, {10, 20})},
                  F32({2, 2}, {-10, -10, -20, -20}));
}

TEST(PReluTest, TakesIntegers) {
  ExpectEvaluates(PReluOp(), NoAttributes(), {I32({3}, {-2, 0, 3}), I32({}, {5})}, I32({3}, {-10, 0, 3}));
  ExpectEvaluates(PReluOp(), NoAttributes(), {U8({2}, {0, 200}), U8({}, {5})}, U8({2}, {0, 200}));
}

TEST(PReluTest, OutputHasTheShapeOfTheData) {
  const PartialShape shape = {Dimension::Symbol("n"), 3, Dimension()};
  ASSERT_OK_AND_ASSIGN(
      const ValueInfo per_channel,
      InferOne(PReluOp(), NoAttributes(), {Known(ElementType::kF32, shape), Known(ElementType::kF32, {3})}));
  EXPECT_EQ(per_channel.shape, shape);
  ASSERT_OK_AND_ASSIGN(
      const ValueInfo last,
      InferOne(PReluOp(), NoAttributes(), {Known(ElementType::kF32, shape), Known(ElementType::kF32, {5})}));
  EXPECT_EQ(last.shape, PartialShape({Dimension::Symbol("n"), 3, 5}));
  ASSERT_OK_AND_ASSIGN(const ValueInfo any, InferOne(PReluOp(), NoAttributes(),
                                                     {Known(ElementType::kF32, PartialShape::DynamicRank()),
                                                      Known(ElementType::kF32, {5})}));
  EXPECT_FALSE(any.shape.has_rank());
}

TEST(PReluTest, PRelu_c1_RejectsBooleanAndMixedTypes) {
  ExpectInferFails(PReluOp(), NoAttributes(), {Known(ElementType::kBoolean, {2}), Known(ElementType::kBoolean, {1})},
                   "PRelu_c1");
  ExpectInferFails(PReluOp(), NoAttributes(), {Known(ElementType::kF32, {2}), Known(ElementType::kF16, {1})},
                   "PRelu_c1");
}

TEST(PReluTest, PRelu_c2_RejectsSlopesThatDoNotBroadcastToTheData) {
  ExpectInferFails(PReluOp(), NoAttributes(), {Known(ElementType::kF32, {2, 3}), Known(ElementType::kF32, {4})},
                   "PRelu_c2");
  ExpectInferFails(PReluOp(), NoAttributes(), {Known(ElementType::kF32, {1, 3}), Known(ElementType::kF32, {2, 3})},
                   "PRelu_c2");
  ExpectInferFails(PReluOp(), NoAttributes(), {Known(ElementType::kF32, {3}), Known(ElementType::kF32, {1, 3})},
                   "PRelu_c2");
}

}  // namespace
}  // namespace burin::ir
