#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "base/element_type.h"
#include "ir/ops/family/elementwise.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"

namespace burin::ir {
namespace {

TEST(BitwiseLeftShiftTest, ShiftsToTheLeft) {
  ExpectEvaluates(BitwiseLeftShiftOp(), BroadcastAttributes(),
                  {I32({5}, {1, -3, 1, 1, 1}), I32({5}, {4, 1, 31, 32, -1})}, I32({5}, {16, -6, -2147483648, 0, 0}));
  ExpectEvaluates(BitwiseLeftShiftOp(), BroadcastAttributes(), {U8({3}, {16, 4, 1}), U8({3}, {1, 2, 8})},
                  U8({3}, {32, 16, 0}));
  ExpectEvaluates(BitwiseLeftShiftOp(), BroadcastAttributes(),
                  {IntTensor(ElementType::kU64, {2}, {1, 1}), IntTensor(ElementType::kU64, {2}, {63, 64})},
                  IntTensor(ElementType::kU64, {2}, {std::numeric_limits<int64_t>::min(), 0}));
}

TEST(BitwiseLeftShiftTest, BitwiseLeftShift_c1_RejectsMixedTypesAndBoolean) {
  ExpectInferFails(BitwiseLeftShiftOp(), BroadcastAttributes(),
                   {Known(ElementType::kF32, {2}), Known(ElementType::kI32, {2})}, "BitwiseLeftShift_c1");
  ExpectInferFails(BitwiseLeftShiftOp(), BroadcastAttributes(),
                   {Known(ElementType::kBoolean, {2}), Known(ElementType::kBoolean, {2})}, "BitwiseLeftShift_c1");
}

TEST(BitwiseLeftShiftTest, BitwiseLeftShift_c2_RejectsShapesThatDoNotBroadcast) {
  ExpectInferFails(BitwiseLeftShiftOp(), BroadcastAttributes(),
                   {Known(ElementType::kI32, {2}), Known(ElementType::kI32, {3})}, "BitwiseLeftShift_c2");
}

}  // namespace
}  // namespace burin::ir
