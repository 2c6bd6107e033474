#include <gtest/gtest.h>

#include "base/element_type.h"
#include "ir/ops/family/elementwise.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"

namespace burin::ir {
namespace {

TEST(LogicalXorTest, FollowsTheTruthTable) {
  ExpectEvaluates(LogicalXorOp(), BroadcastAttributes(), {Bool({2, 1}, {0, 1}), Bool({2}, {0, 1})},
                  Bool({2, 2}, {0, 1, 1, 0}));
}

TEST(LogicalXorTest, LogicalXor_c1_RejectsMixedTypesAndIntegers) {
  ExpectInferFails(LogicalXorOp(), BroadcastAttributes(),
                   {Known(ElementType::kF32, {2}), Known(ElementType::kI32, {2})}, "LogicalXor_c1");
  ExpectInferFails(LogicalXorOp(), BroadcastAttributes(),
                   {Known(ElementType::kI32, {2}), Known(ElementType::kI32, {2})}, "LogicalXor_c1");
}

TEST(LogicalXorTest, LogicalXor_c2_RejectsShapesThatDoNotBroadcast) {
  ExpectInferFails(LogicalXorOp(), BroadcastAttributes(),
                   {Known(ElementType::kBoolean, {2}), Known(ElementType::kBoolean, {3})}, "LogicalXor_c2");
}

}  // namespace
}  // namespace burin::ir
