#include <gtest/gtest.h>

#include "base/element_type.h"
#include "ir/ops/family/elementwise.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"

namespace burin::ir {
namespace {

TEST(BitwiseAndTest, CombinesBits) {
  ExpectEvaluates(BitwiseAndOp(), BroadcastAttributes(), {I32({3}, {12, -1, 0}), I32({3}, {10, -8, 5})},
                  I32({3}, {8, -8, 0}));
  ExpectEvaluates(BitwiseAndOp(), BroadcastAttributes(), {U8({1}, {0xAA}), U8({1}, {0x0F})}, U8({1}, {0x0A}));
  ExpectEvaluates(BitwiseAndOp(), BroadcastAttributes(),
                  {IntTensor(ElementType::kU64, {1}, {-1}), IntTensor(ElementType::kU64, {1}, {5})},
                  IntTensor(ElementType::kU64, {1}, {5}));
  ExpectEvaluates(BitwiseAndOp(), BroadcastAttributes(), {Bool({4}, {0, 0, 1, 1}), Bool({4}, {0, 1, 0, 1})},
                  Bool({4}, {0, 0, 0, 1}));
}

TEST(BitwiseAndTest, BitwiseAnd_c1_RejectsMixedTypesAndFloats) {
  ExpectInferFails(BitwiseAndOp(), BroadcastAttributes(),
                   {Known(ElementType::kF32, {2}), Known(ElementType::kI32, {2})}, "BitwiseAnd_c1");
  ExpectInferFails(BitwiseAndOp(), BroadcastAttributes(),
                   {Known(ElementType::kF32, {2}), Known(ElementType::kF32, {2})}, "BitwiseAnd_c1");
}

TEST(BitwiseAndTest, BitwiseAnd_c2_RejectsShapesThatDoNotBroadcast) {
  ExpectInferFails(BitwiseAndOp(), BroadcastAttributes(),
                   {Known(ElementType::kI32, {2}), Known(ElementType::kI32, {3})}, "BitwiseAnd_c2");
}

}  // namespace
}  // namespace burin::ir
