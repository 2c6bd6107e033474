#include <gtest/gtest.h>

#include "base/element_type.h"
#include "ir/ops/family/elementwise.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"

namespace burin::ir {
namespace {

TEST(LogicalAndTest, FollowsTheTruthTable) {
  ExpectEvaluates(LogicalAndOp(), BroadcastAttributes(), {Bool({2, 1}, {0, 1}), Bool({2}, {0, 1})},
                  Bool({2, 2}, {0, 0, 0, 1}));
}

TEST(LogicalAndTest, LogicalAnd_c1_RejectsMixedTypesAndIntegers) {
  ExpectInferFails(LogicalAndOp(), BroadcastAttributes(),
                   {Known(ElementType::kF32, {2}), Known(ElementType::kI32, {2})}, "LogicalAnd_c1");
  ExpectInferFails(LogicalAndOp(), BroadcastAttributes(),
                   {Known(ElementType::kI32, {2}), Known(ElementType::kI32, {2})}, "LogicalAnd_c1");
}

TEST(LogicalAndTest, LogicalAnd_c2_RejectsShapesThatDoNotBroadcast) {
  ExpectInferFails(LogicalAndOp(), BroadcastAttributes(),
                   {Known(ElementType::kBoolean, {2}), Known(ElementType::kBoolean, {3})}, "LogicalAnd_c2");
}

}  // namespace
}  // namespace burin::ir
