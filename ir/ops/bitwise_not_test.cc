#include <gtest/gtest.h>

#include "base/element_type.h"
#include "ir/attributes.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"

namespace burin::ir {
namespace {

TEST(BitwiseNotTest, InvertsBits) {
  ExpectEvaluates(BitwiseNotOp(), NoAttributes(), {I32({3}, {0, 5, -1})}, I32({3}, {-1, -6, 0}));
  ExpectEvaluates(BitwiseNotOp(), NoAttributes(), {U8({2}, {0, 0xA5})}, U8({2}, {0xFF, 0x5A}));
  ExpectEvaluates(BitwiseNotOp(), NoAttributes(), {IntTensor(ElementType::kU4, {3}, {0, 5, 15})},
                  IntTensor(ElementType::kU4, {3}, {15, 10, 0}));
  ExpectEvaluates(BitwiseNotOp(), NoAttributes(), {IntTensor(ElementType::kU64, {1}, {1})},
                  IntTensor(ElementType::kU64, {1}, {-2}));
}

TEST(BitwiseNotTest, NegatesBooleans) {
  ExpectEvaluates(BitwiseNotOp(), NoAttributes(), {Bool({2}, {1, 0})}, Bool({2}, {0, 1}));
}

TEST(BitwiseNotTest, BitwiseNot_c1_RejectsFloats) {
  ExpectInferFails(BitwiseNotOp(), NoAttributes(), {Known(ElementType::kF32, {2})}, "BitwiseNot_c1");
}

}  // namespace
}  // namespace burin::ir
