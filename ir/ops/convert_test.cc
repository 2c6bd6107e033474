#include "ir/ops/convert.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/element_type.h"
#include "base/float_conversion.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/tensor.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

ConvertAttributes To(ElementType type) {
  ConvertAttributes attributes;
  attributes.destination_type = type;
  return attributes;
}

TEST(ConvertTest, FloatsTruncateToIntegers) {
  const Tensor x = F32({7}, {1.9, -1.9, 0.5, 1e10, -1e10, kInf, kNan});
  ExpectEvaluates(ConvertOp(), To(ElementType::kI32), {x},
                  I32({7}, {1, -1, 0, 2147483647, -2147483648, 2147483647, 0}));
  ExpectEvaluates(ConvertOp(), To(ElementType::kU8), {x}, U8({7}, {1, 0, 0, 255, 0, 255, 0}));
}

TEST(ConvertTest, FloatsWrapInTheTypesOf2And4Bits) {
  ExpectEvaluates(ConvertOp(), To(ElementType::kI4), {F32({6}, {-9, -8.5, 7.9, 8, 17, NAN})},
                  IntTensor(ElementType::kI4, {6}, {7, -8, 7, -8, 1, 0}));
  ExpectEvaluates(ConvertOp(), To(ElementType::kU2), {F32({4}, {-1, 3, 4, 5.5})},
                  IntTensor(ElementType::kU2, {4}, {3, 3, 0, 1}));
}

TEST(ConvertTest, IntegersWrap) {
  ExpectEvaluates(ConvertOp(), To(ElementType::kU32), {I32({2}, {-1, 5})},
                  IntTensor(ElementType::kU32, {2}, {4294967295, 5}));
  ExpectEvaluates(ConvertOp(), To(ElementType::kI8), {I64({3}, {128, 255, 256})}, I8({3}, {-128, -1, 0}));
  ExpectEvaluates(ConvertOp(), To(ElementType::kU4), {I32({3}, {16, -1, 7})},
                  IntTensor(ElementType::kU4, {3}, {0, 15, 7}));
  ExpectEvaluates(ConvertOp(), To(ElementType::kI32), {IntTensor(ElementType::kI4, {3}, {-8, 7, -1})},
                  I32({3}, {-8, 7, -1}));
  ExpectEvaluates(ConvertOp(), To(ElementType::kI64), {IntTensor(ElementType::kU64, {1}, {-1})}, I64({1}, {-1}));
}

TEST(ConvertTest, BooleansAreZeroOrOne) {
  ExpectEvaluates(ConvertOp(), To(ElementType::kBoolean), {F32({5}, {0, -0.0, 0.25, -2, kNan})},
                  Bool({5}, {0, 0, 1, 1, 1}));
  ExpectEvaluates(ConvertOp(), To(ElementType::kBoolean), {I64({3}, {0, 256, -1})}, Bool({3}, {0, 1, 1}));
  ExpectEvaluates(ConvertOp(), To(ElementType::kF16), {Bool({2}, {1, 0})}, F16({2}, {1, 0}));
  ExpectEvaluates(ConvertOp(), To(ElementType::kI32), {Bool({2}, {1, 0})}, I32({2}, {1, 0}));
}

TEST(ConvertTest, FloatsRoundOnceToNearestEven) {
  ExpectEvaluates(ConvertOp(), To(ElementType::kF16), {F32({4}, {2049, 2051, 65520, 1e-8})},
                  F16({4}, {2048, 2052, kInf, 0}));
  ExpectEvaluates(ConvertOp(), To(ElementType::kBf16), {F32({2}, {257, 259})}, BF16({2}, {256, 260}));
  // Just above the middle of two neighbours: a detour by f32 would round down to the tie, and then to even.
  ExpectEvaluates(ConvertOp(), To(ElementType::kBf16), {F64({1}, {1 + 0x1p-8 + 0x1p-40})}, BF16({1}, {1 + 0x1p-7}));
  ExpectEvaluates(ConvertOp(), To(ElementType::kF32), {F64({1}, {1e300})}, F32({1}, {kInf}));
}

TEST(ConvertTest, LargeIntegersRoundOnce) {
  // 2^60 + 2^36 + 1 is just above the middle of two f32; as a double it would be the middle.
  const int64_t value = (int64_t{1} << 60) + (int64_t{1} << 36) + 1;
  ExpectEvaluates(ConvertOp(), To(ElementType::kF32), {I64({2}, {value, -value})},
                  F32({2}, {0x1p60 + 0x1p37, -0x1p60 - 0x1p37}));
  const int64_t large = static_cast<int64_t>((uint64_t{1} << 63) + (uint64_t{1} << 39) + 1);  // As u64.
  ExpectEvaluates(ConvertOp(), To(ElementType::kF32), {IntTensor(ElementType::kU64, {2}, {large, -1})},
                  F32({2}, {0x1p63 + 0x1p40, 0x1p64}));
  ExpectEvaluates(ConvertOp(), To(ElementType::kF64), {IntTensor(ElementType::kU64, {1}, {-1})}, F64({1}, {0x1p64}));
  ExpectEvaluates(ConvertOp(), To(ElementType::kF64), {I64({1}, {(int64_t{1} << 53) + 1})}, F64({1}, {0x1p53}));
}

TEST(ConvertTest, F8SaturatesOrOverflowsAsAsked) {
  const Tensor x = F32({4}, {1000000, -1000000, 1, kNan});
  ConvertAttributes attributes = To(ElementType::kF8E5M2);
  ExpectEvaluates(ConvertOp(), attributes, {x}, FloatTensor(ElementType::kF8E5M2, {4}, {57344, -57344, 1, kNan}));
  attributes.saturate = false;
  ASSERT_OK_AND_ASSIGN(const Tensor e5m2, Evaluate(ConvertOp(), attributes, {x}));
  EXPECT_EQ(Doubles(e5m2)[0], kInf);
  EXPECT_EQ(Doubles(e5m2)[1], -kInf);
  EXPECT_EQ(Doubles(e5m2)[2], 1);
  attributes.destination_type = ElementType::kF8E4M3FN;
  ASSERT_OK_AND_ASSIGN(const Tensor e4m3, Evaluate(ConvertOp(), attributes, {x}));
  EXPECT_TRUE(std::isnan(Doubles(e4m3)[0]));
  attributes.saturate = true;
  ExpectEvaluates(ConvertOp(), attributes, {x}, FloatTensor(ElementType::kF8E4M3FN, {4}, {448, -448, 1, kNan}));
}

TEST(ConvertTest, F8E8M0RoundsAsAsked) {
  const Tensor x = F32({4}, {1, 1.25, 1.5, 1.75});
  ConvertAttributes attributes = To(ElementType::kF8E8M0);
  const auto powers = [&](PowerOfTwoRounding mode) {
    attributes.round_mode = mode;
    return Doubles(*Evaluate(ConvertOp(), attributes, {x}));
  };
  EXPECT_EQ(powers(PowerOfTwoRounding::kUp), (std::vector<double>{1, 2, 2, 2}));
  EXPECT_EQ(powers(PowerOfTwoRounding::kDown), (std::vector<double>{1, 1, 1, 1}));
  EXPECT_EQ(powers(PowerOfTwoRounding::kNearest), (std::vector<double>{1, 1, 2, 2}));
}

TEST(ConvertTest, EveryTypeConvertsToEveryOther) {
  for (const ElementType from : kAllElementTypes) {
    for (const ElementType to : kAllElementTypes) {
      if (from == ElementType::kString || to == ElementType::kString) continue;
      // 1 is a number of every type; more than a block, and a last byte that packed types share.
      ASSERT_OK_AND_ASSIGN(const Tensor out,
                           Evaluate(ConvertOp(), To(to), {FloatTensor(from, {1031}, std::vector<double>(1031, 1))}));
      ExpectTensorEq(out, FloatTensor(to, {1031}, std::vector<double>(1031, 1)));
    }
  }
}

TEST(ConvertTest, KeepsShapesAndContent) {
  const PartialShape shape = {Dimension::Symbol("n"), 3};
  ASSERT_OK_AND_ASSIGN(const ValueInfo out,
                       InferOne(ConvertOp(), To(ElementType::kF16), {Known(ElementType::kF32, shape)}));
  EXPECT_EQ(out.type, ElementType::kF16);
  EXPECT_EQ(out.shape, shape);
  const PartialValue content = {Dimension::Symbol("n"), Dimension(2, 300), 300};
  ASSERT_OK_AND_ASSIGN(const ValueInfo i32, InferOne(ConvertOp(), To(ElementType::kI32), {Partial(content)}));
  EXPECT_EQ(i32.content, content);
  ASSERT_OK_AND_ASSIGN(const ValueInfo u8, InferOne(ConvertOp(), To(ElementType::kU8), {Partial(content)}));
  const PartialValue wrapped = {Dimension::Symbol("n"), Dimension::AnyValue(), 44};
  EXPECT_EQ(u8.content, wrapped);
}

TEST(ConvertTest, Convert_c1_RejectsStringsAndAMissingDestination) {
  ExpectInferFails(ConvertOp(), To(ElementType::kString), {Known(ElementType::kF32, {2})}, "Convert_c1");
  ExpectInferFails(ConvertOp(), To(ElementType::kF32), {Known(ElementType::kString, {2})}, "Convert_c1");
  ExpectInferFails(ConvertOp(), ConvertAttributes(), {Known(ElementType::kF32, {2})}, "Convert_c1");
}

}  // namespace
}  // namespace burin::ir
