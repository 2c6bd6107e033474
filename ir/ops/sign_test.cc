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

TEST(SignTest, TellsTheSign) {
  ExpectEvaluates(SignOp(), NoAttributes(), {F32({6}, {-1.5, -kInf, 0, 1e-30, kInf, kNan})},
                  F32({6}, {-1, -1, 0, 1, 1, kNan}));
  ExpectEvaluates(SignOp(), NoAttributes(), {I32({3}, {-7, 0, 7})}, I32({3}, {-1, 0, 1}));
  ExpectEvaluates(SignOp(), NoAttributes(), {U8({2}, {0, 200})}, U8({2}, {0, 1}));
  ExpectEvaluates(SignOp(), NoAttributes(), {IntTensor(ElementType::kU64, {2}, {0, -1})},
                  IntTensor(ElementType::kU64, {2}, {0, 1}));
}

TEST(SignTest, KnowsTheSignOfAnInterval) {
  ASSERT_OK_AND_ASSIGN(const ValueInfo out,
                       InferOne(SignOp(), NoAttributes(), {Partial({Dimension(2, 8), Dimension(-3, 8)})}));
  ASSERT_TRUE(out.content.has_value());
  EXPECT_EQ((*out.content)[0], Dimension(1));
  EXPECT_EQ((*out.content)[1], Dimension(-1, 1));
}

TEST(SignTest, Sign_c1_RejectsBoolean) {
  ExpectInferFails(SignOp(), NoAttributes(), {Known(ElementType::kBoolean, {2})}, "Sign_c1");
}

}  // namespace
}  // namespace burin::ir
