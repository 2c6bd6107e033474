#include <gtest/gtest.h>

#include "base/element_type.h"
#include "ir/ops/family/elementwise.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"

namespace burin::ir {
namespace {

TEST(SquaredDifferenceTest, SquaresTheDifference) {
  ExpectEvaluates(SquaredDifferenceOp(), BroadcastAttributes(), {F32({2, 1}, {1, 2}), F32({2}, {3, -1})},
                  F32({2, 2}, {4, 4, 1, 9}));
  ExpectEvaluates(SquaredDifferenceOp(), BroadcastAttributes(), {I32({2}, {3, -3}), I32({}, {1})}, I32({2}, {4, 16}));
  ExpectEvaluates(SquaredDifferenceOp(), BroadcastAttributes(), {U8({1}, {1}), U8({1}, {3})}, U8({1}, {4}));
}

TEST(SquaredDifferenceTest, SquaredDifference_c1_RejectsMixedTypesAndBoolean) {
  ExpectInferFails(SquaredDifferenceOp(), BroadcastAttributes(),
                   {Known(ElementType::kF32, {2}), Known(ElementType::kI32, {2})}, "SquaredDifference_c1");
  ExpectInferFails(SquaredDifferenceOp(), BroadcastAttributes(),
                   {Known(ElementType::kBoolean, {2}), Known(ElementType::kBoolean, {2})}, "SquaredDifference_c1");
}

TEST(SquaredDifferenceTest, SquaredDifference_c2_RejectsShapesThatDoNotBroadcast) {
  ExpectInferFails(SquaredDifferenceOp(), BroadcastAttributes(),
                   {Known(ElementType::kF32, {2}), Known(ElementType::kF32, {3})}, "SquaredDifference_c2");
}

}  // namespace
}  // namespace burin::ir
