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

TEST(ReluTest, ReplacesNegativesByZero) {
  ExpectEvaluates(ReluOp(), NoAttributes(), {F32({5}, {-1.5, 0, 2, -kInf, kNan})}, F32({5}, {0, 0, 2, 0, kNan}));
  ExpectEvaluates(ReluOp(), NoAttributes(), {F16({2}, {-1.5, 2})}, F16({2}, {0, 2}));
  ExpectEvaluates(ReluOp(), NoAttributes(), {I32({3}, {-7, 0, 7})}, I32({3}, {0, 0, 7}));
  ExpectEvaluates(ReluOp(), NoAttributes(), {U8({2}, {0, 200})}, U8({2}, {0, 200}));
}

TEST(ReluTest, HandlesEmptyAndScalar) {
  ExpectEvaluates(ReluOp(), NoAttributes(), {F32({2, 0}, {})}, F32({2, 0}, {}));
  ExpectEvaluates(ReluOp(), NoAttributes(), {F32({}, {-2})}, F32({}, {0}));
}

TEST(ReluTest, ClipsKnownContent) {
  ASSERT_OK_AND_ASSIGN(const ValueInfo out, InferOne(ReluOp(), NoAttributes(), {Partial({-3, Dimension(-2, 8)})}));
  ASSERT_TRUE(out.content.has_value());
  EXPECT_EQ((*out.content)[0], Dimension(0));
  EXPECT_EQ((*out.content)[1], Dimension(0, 8));
}

TEST(ReluTest, Relu_c1_RejectsBoolean) {
  ExpectInferFails(ReluOp(), NoAttributes(), {Known(ElementType::kBoolean, {2})}, "Relu_c1");
}

}  // namespace
}  // namespace burin::ir
