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

TEST(LessEqualTest, ComparesFloats) {
  ExpectEvaluates(LessEqualOp(), BroadcastAttributes(), {F32({4}, {1, 2, 3, kNan}), F32({4}, {2, 2, 2, kNan})},
                  Bool({4}, {1, 1, 0, 0}));
}

TEST(LessEqualTest, ComparesIntegersExactly) {
  ExpectEvaluates(LessEqualOp(), BroadcastAttributes(),
                  {I64({3}, {9007199254740994, 9007199254740993, -5}), I64({}, {9007199254740993})},
                  Bool({3}, {0, 1, 1}));
  ExpectEvaluates(LessEqualOp(), BroadcastAttributes(),
                  {IntTensor(ElementType::kU64, {3}, {-1, 5, 3}), IntTensor(ElementType::kU64, {3}, {5, 5, 5})},
                  Bool({3}, {0, 1, 1}));
  ExpectEvaluates(LessEqualOp(), BroadcastAttributes(), {Bool({3}, {1, 0, 0}), Bool({3}, {0, 0, 1})},
                  Bool({3}, {0, 1, 1}));
}

TEST(LessEqualTest, DecidesByIntervals) {
  const PartialValue a = {Dimension(1, 8), Dimension(1, 8, "n")};
  const PartialValue b = {0, Dimension(1, 8, "n")};
  ASSERT_OK_AND_ASSIGN(const ValueInfo out, InferOne(LessEqualOp(), BroadcastAttributes(), {Partial(a), Partial(b)}));
  ASSERT_TRUE(out.constant.has_value());
  ExpectTensorEq(out.constant, Bool({2}, {0, 1}));
  ASSERT_OK_AND_ASSIGN(const ValueInfo open,
                       InferOne(LessEqualOp(), BroadcastAttributes(), {Partial({Dimension(1, 8)}), Partial({4})}));
  EXPECT_FALSE(open.constant.has_value());
}

TEST(LessEqualTest, LessEqual_c1_RejectsMixedTypesAndStrings) {
  ExpectInferFails(LessEqualOp(), BroadcastAttributes(), {Known(ElementType::kF32, {2}), Known(ElementType::kI32, {2})},
                   "LessEqual_c1");
  ExpectInferFails(LessEqualOp(), BroadcastAttributes(),
                   {Known(ElementType::kString, {2}), Known(ElementType::kString, {2})}, "LessEqual_c1");
}

TEST(LessEqualTest, LessEqual_c2_RejectsShapesThatDoNotBroadcast) {
  ExpectInferFails(LessEqualOp(), BroadcastAttributes(), {Known(ElementType::kF32, {2}), Known(ElementType::kF32, {3})},
                   "LessEqual_c2");
}

}  // namespace
}  // namespace burin::ir
