#include "ir/ops/bit_cast.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "base/element_type.h"
#include "ir/infer_context.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/tensor.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

BitCastAttributes To(ElementType type) {
  BitCastAttributes attributes;
  attributes.destination_type = type;
  return attributes;
}

TEST(BitCastTest, FloatsAndIntegersThereAndBack) {
  const Tensor floats = F32({2, 2}, {1, -2, 0.5, std::numeric_limits<double>::infinity()});
  const Tensor bits = I32({2, 2}, {0x3F800000, -0x40000000, 0x3F000000, 0x7F800000});
  ExpectEvaluates(BitCastOp(), To(ElementType::kI32), {floats}, bits);
  ExpectEvaluates(BitCastOp(), To(ElementType::kF32), {bits}, floats);
  ExpectEvaluates(BitCastOp(), To(ElementType::kI64), {F64({}, {-1})}, I64({}, {-0x4010000000000000}));
  ExpectEvaluates(BitCastOp(), To(ElementType::kBf16), {F16({1}, {1})},
                  FloatTensor(ElementType::kBf16, {1}, {0.0078125}));  // 0x3C00: 2^(120 - 127).
}

TEST(BitCastTest, SignsOfIntegers) {
  ExpectEvaluates(BitCastOp(), To(ElementType::kU8), {I8({3}, {-1, -128, 5})}, U8({3}, {255, 128, 5}));
  ExpectEvaluates(BitCastOp(), To(ElementType::kI8), {U8({0, 2}, {})}, I8({0, 2}, {}));
}

TEST(BitCastTest, PackedTypes) {
  ExpectEvaluates(BitCastOp(), To(ElementType::kU4), {IntTensor(ElementType::kI4, {3}, {-1, 3, -8})},
                  IntTensor(ElementType::kU4, {3}, {15, 3, 8}));
  ExpectEvaluates(BitCastOp(), To(ElementType::kF4E2M1), {IntTensor(ElementType::kU4, {3}, {2, 7, 15})},
                  FloatTensor(ElementType::kF4E2M1, {3}, {1, 6, -6}));
}

TEST(BitCastTest, BooleansHaveTwoValues) {
  ExpectEvaluates(BitCastOp(), To(ElementType::kU8), {Bool({2}, {1, 0})}, U8({2}, {1, 0}));
  ASSERT_OK_AND_ASSIGN(const Tensor truth, Evaluate(BitCastOp(), To(ElementType::kBoolean), {U8({3}, {0, 2, 255})}));
  ExpectEvaluates(BitCastOp(), To(ElementType::kU8), {truth}, U8({3}, {0, 1, 1}));
}

TEST(BitCastTest, KeepsTheShape) {
  const PartialShape shape = {Dimension::Symbol("n"), 3};
  for (const PartialShape& known : {shape, PartialShape::DynamicRank()}) {
    ASSERT_OK_AND_ASSIGN(const ValueInfo info,
                         InferOne(BitCastOp(), To(ElementType::kF16), {Known(ElementType::kU16, known)}));
    EXPECT_EQ(info.shape, known);
    EXPECT_EQ(info.type, ElementType::kF16);
  }
}

TEST(BitCastTest, C1_RefusesOtherWidths) {
  ExpectInferFails(BitCastOp(), To(ElementType::kF64), {Known(ElementType::kF32, {2})}, "BitCast_c1");
  ExpectInferFails(BitCastOp(), To(ElementType::kU8), {Known(ElementType::kU4, {2})}, "BitCast_c1");
  ExpectInferFails(BitCastOp(), BitCastAttributes(), {Known(ElementType::kF32, {2})}, "BitCast_c1");
  ExpectInferFails(BitCastOp(), To(ElementType::kString), {Known(ElementType::kF32, {2})}, "BitCast_c1");
}

}  // namespace
}  // namespace burin::ir
