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

TEST(AbsTest, DropsTheSign) {
  ExpectEvaluates(AbsOp(), NoAttributes(), {F32({6}, {-1.5, -0.0, 0, 2, -kInf, kNan})},
                  F32({6}, {1.5, 0, 0, 2, kInf, kNan}));
  ExpectEvaluates(AbsOp(), NoAttributes(), {F16({2}, {-1.5, 2})}, F16({2}, {1.5, 2}));
  ExpectEvaluates(AbsOp(), NoAttributes(), {I32({3}, {-7, 0, 7})}, I32({3}, {7, 0, 7}));
  ExpectEvaluates(AbsOp(), NoAttributes(), {U8({2}, {0, 200})}, U8({2}, {0, 200}));
  ExpectEvaluates(AbsOp(), NoAttributes(), {IntTensor(ElementType::kU64, {1}, {-1})},
                  IntTensor(ElementType::kU64, {1}, {-1}));
}

TEST(AbsTest, TheMostNegativeIntegerWraps) {
  ExpectEvaluates(AbsOp(), NoAttributes(), {I8({2}, {-128, -127})}, I8({2}, {-128, 127}));
}

TEST(AbsTest, KnowsTheMagnitudeOfAnInterval) {
  const PartialValue content = {Dimension(-5, -2), Dimension(-3, 2), Dimension(1, 4, "n")};
  ASSERT_OK_AND_ASSIGN(const ValueInfo out, InferOne(AbsOp(), NoAttributes(), {Partial(content)}));
  const PartialValue expected = {Dimension(2, 5), Dimension(0, 3), Dimension(1, 4, "n")};
  EXPECT_EQ(out.content, expected);
}

TEST(AbsTest, Abs_c1_RejectsBoolean) {
  ExpectInferFails(AbsOp(), NoAttributes(), {Known(ElementType::kBoolean, {2})}, "Abs_c1");
}

}  // namespace
}  // namespace burin::ir
