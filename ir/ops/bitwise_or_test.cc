#include <gtest/gtest.h>

#include "base/element_type.h"
#include "ir/ops/family/elementwise.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"

namespace burin::ir {
namespace {

TEST(BitwiseOrTest, CombinesBits) {
  ExpectEvaluates(BitwiseOrOp(), BroadcastAttributes(), {I32({3}, {12, -1, 0}), I32({3}, {10, -8, 5})},
                  I32({3}, {14, -1, 5}));
  ExpectEvaluates(BitwiseOrOp(), BroadcastAttributes(), {U8({1}, {0xAA}), U8({1}, {0x0F})}, U8({1}, {0xAF}));
  ExpectEvaluates(BitwiseOrOp(), BroadcastAttributes(),
                  {IntTensor(ElementType::kU64, {1}, {-1}), IntTensor(ElementType::kU64, {1}, {5})},
                  IntTensor(ElementType::kU64, {1}, {-1}));
  ExpectEvaluates(BitwiseOrOp(), BroadcastAttributes(), {Bool({4}, {0, 0, 1, 1}), Bool({4}, {0, 1, 0, 1})},
                  Bool({4}, {0, 1, 1, 1}));
}

TEST(BitwiseOrTest, BitwiseOr_c1_RejectsMixedTypesAndFloats) {
  ExpectInferFails(BitwiseOrOp(), BroadcastAttributes(), {Known(ElementType::kF32, {2}), Known(ElementType::kI32, {2})},
                   "BitwiseOr_c1");
  ExpectInferFails(BitwiseOrOp(), BroadcastAttributes(), {Known(ElementType::kF32, {2}), Known(ElementType::kF32, {2})},
                   "BitwiseOr_c1");
}

TEST(BitwiseOrTest, BitwiseOr_c2_RejectsShapesThatDoNotBroadcast) {
  ExpectInferFails(BitwiseOrOp(), BroadcastAttributes(), {Known(ElementType::kI32, {2}), Known(ElementType::kI32, {3})},
                   "BitwiseOr_c2");
}

}  // namespace
}  // namespace burin::ir
