#include <gtest/gtest.h>

#include <limits>

#include "base/element_type.h"
#include "ir/attributes.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(NegativeTest, Negates) {
  ExpectEvaluates(NegativeOp(), NoAttributes(), {F32({5}, {-1.5, 0, 2, kInf, kNan})},
                  F32({5}, {1.5, -0.0, -2, -kInf, kNan}));
  ExpectEvaluates(NegativeOp(), NoAttributes(), {BF16({2}, {-1.5, 2})}, BF16({2}, {1.5, -2}));
  ExpectEvaluates(NegativeOp(), NoAttributes(), {I64({2}, {-3, 4})}, I64({2}, {3, -4}));
}

TEST(NegativeTest, IntegersWrap) {
  ExpectEvaluates(NegativeOp(), NoAttributes(), {I8({2}, {-128, 127})}, I8({2}, {-128, -127}));
  ExpectEvaluates(NegativeOp(), NoAttributes(), {U8({2}, {1, 0})}, U8({2}, {255, 0}));
}

TEST(NegativeTest, NegatesKnownContent) {
  ASSERT_OK_AND_ASSIGN(const ValueInfo out, InferOne(NegativeOp(), NoAttributes(), {Partial({3, Dimension(2, 8)})}));
  ASSERT_TRUE(out.content.has_value());
  EXPECT_EQ((*out.content)[0], Dimension(-3));
  EXPECT_EQ((*out.content)[1], Dimension(-8, -2));
}

TEST(NegativeTest, Negative_c1_RejectsBoolean) {
  ExpectInferFails(NegativeOp(), NoAttributes(), {Known(ElementType::kBoolean, {2})}, "Negative_c1");
}

}  // namespace
}  // namespace burin::ir
