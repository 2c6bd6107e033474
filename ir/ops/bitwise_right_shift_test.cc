#include <gtest/gtest.h>

#include "base/element_type.h"
#include "ir/ops/family/elementwise.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"

namespace burin::ir {
namespace {

TEST(BitwiseRightShiftTest, ShiftsToTheRight) {
  ExpectEvaluates(BitwiseRightShiftOp(), BroadcastAttributes(),
                  {I32({6}, {16, -5, -1, 7, -7, 7}), I32({6}, {4, 1, 31, 32, 32, -1})},
                  I32({6}, {1, -3, -1, 0, -1, 0}));
  ExpectEvaluates(BitwiseRightShiftOp(), BroadcastAttributes(), {U8({3}, {16, 255, 255}), U8({3}, {1, 7, 8})},
                  U8({3}, {8, 1, 0}));
  ExpectEvaluates(BitwiseRightShiftOp(), BroadcastAttributes(),
                  {IntTensor(ElementType::kU64, {2}, {-1, -1}), IntTensor(ElementType::kU64, {2}, {63, 64})},
                  IntTensor(ElementType::kU64, {2}, {1, 0}));
}

TEST(BitwiseRightShiftTest, BitwiseRightShift_c1_RejectsMixedTypesAndBoolean) {
  ExpectInferFails(BitwiseRightShiftOp(), BroadcastAttributes(),
                   {Known(ElementType::kF32, {2}), Known(ElementType::kI32, {2})}, "BitwiseRightShift_c1");
  ExpectInferFails(BitwiseRightShiftOp(), BroadcastAttributes(),
                   {Known(ElementType::kBoolean, {2}), Known(ElementType::kBoolean, {2})}, "BitwiseRightShift_c1");
}

TEST(BitwiseRightShiftTest, BitwiseRightShift_c2_RejectsShapesThatDoNotBroadcast) {
  ExpectInferFails(BitwiseRightShiftOp(), BroadcastAttributes(),
                   {Known(ElementType::kI32, {2}), Known(ElementType::kI32, {3})}, "BitwiseRightShift_c2");
}

}  // namespace
}  // namespace burin::ir
