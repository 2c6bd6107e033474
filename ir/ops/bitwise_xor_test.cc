#include <gtest/gtest.h>

#include "base/element_type.h"
#include "ir/ops/family/elementwise.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"

namespace burin::ir {
namespace {

TEST(BitwiseXorTest, CombinesBits) {
  ExpectEvaluates(BitwiseXorOp(), BroadcastAttributes(), {I32({3}, {12, -1, 0}), I32({3}, {10, -8, 5})},
                  I32({3}, {6, 7, 5}));
  ExpectEvaluates(BitwiseXorOp(), BroadcastAttributes(), {U8({1}, {0xAA}), U8({1}, {0x0F})}, U8({1}, {0xA5}));
  ExpectEvaluates(BitwiseXorOp(), BroadcastAttributes(),
                  {IntTensor(ElementType::kU64, {1}, {-1}), IntTensor(ElementType::kU64, {1}, {5})},
                  IntTensor(ElementType::kU64, {1}, {-6}));
  ExpectEvaluates(BitwiseXorOp(), BroadcastAttributes(), {Bool({4}, {0, 0, 1, 1}), Bool({4}, {0, 1, 0, 1})},
                  Bool({4}, {0, 1, 1, 0}));
}

TEST(BitwiseXorTest, BitwiseXor_c1_RejectsMixedTypesAndFloats) {
  ExpectInferFails(BitwiseXorOp(), BroadcastAttributes(),
                   {Known(ElementType::kF32, {2}), Known(ElementType::kI32, {2})}, "BitwiseXor_c1");
  ExpectInferFails(BitwiseXorOp(), BroadcastAttributes(),
                   {Known(ElementType::kF32, {2}), Known(ElementType::kF32, {2})}, "BitwiseXor_c1");
}

TEST(BitwiseXorTest, BitwiseXor_c2_RejectsShapesThatDoNotBroadcast) {
  ExpectInferFails(BitwiseXorOp(), BroadcastAttributes(),
                   {Known(ElementType::kI32, {2}), Known(ElementType::kI32, {3})}, "BitwiseXor_c2");
}

}  // namespace
}  // namespace burin::ir
