#include <gtest/gtest.h>

#include "base/element_type.h"
#include "ir/ops/family/elementwise.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"

namespace burin::ir {
namespace {

TEST(LogicalOrTest, FollowsTheTruthTable) {
  ExpectEvaluates(LogicalOrOp(), BroadcastAttributes(), {Bool({2, 1}, {0, 1}), Bool({2}, {0, 1})},
                  Bool({2, 2}, {0, 1, 1, 1}));
}

TEST(LogicalOrTest, LogicalOr_c1_RejectsMixedTypesAndIntegers) {
  ExpectInferFails(LogicalOrOp(), BroadcastAttributes(), {Known(ElementType::kF32, {2}), Known(ElementType::kI32, {2})},
                   "LogicalOr_c1");
  ExpectInferFails(LogicalOrOp(), BroadcastAttributes(), {Known(ElementType::kI32, {2}), Known(ElementType::kI32, {2})},
                   "LogicalOr_c1");
}

TEST(LogicalOrTest, LogicalOr_c2_RejectsShapesThatDoNotBroadcast) {
  ExpectInferFails(LogicalOrOp(), BroadcastAttributes(),
                   {Known(ElementType::kBoolean, {2}), Known(ElementType::kBoolean, {3})}, "LogicalOr_c2");
}

}  // namespace
}  // namespace burin::ir
