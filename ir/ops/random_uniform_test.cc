#include "ir/ops/random_uniform.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "base/element_type.h"
#include "ir/dimension.h"
#include "ir/infer_context.h"
#include "ir/op_def.h"
#include "ir/ops/family/philox.h"
#include "ir/ops/op_testlib.h"
#include "ir/ops/ops.h"
#include "ir/partial_shape.h"
#include "ir/tensor.h"
#include "testing/gtest/status_matchers.h"

namespace burin::ir {
namespace {

using ::testing::ElementsAre;

// The vectors that the authors of the generator publish.
TEST(RandomUniformTest, GeneratorGivesThePublishedNumbers) {
  EXPECT_THAT(Philox4x32({0, 0, 0, 0}, {0, 0}), ElementsAre(0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8));
  constexpr uint32_t kOnes = 0xffffffff;
  EXPECT_THAT(Philox4x32({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes}),
              ElementsAre(0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd));
  EXPECT_THAT(Philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
              ElementsAre(0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1));
}

RandomUniformAttributes Make(ElementType type, int64_t seed) {
  RandomUniformAttributes attributes;
  attributes.output_type = type;
  attributes.seed = seed;
  return attributes;
}

absl::StatusOr<Tensor> Draw(ElementType type, int64_t seed, const std::vector<int64_t>& shape) {
  return Evaluate(RandomUniformOp(), Make(type, seed), {I64({static_cast<int64_t>(shape.size())}, shape)});
}

TEST(RandomUniformTest, NumbersAreTheLeadingBitsOfTheWords) {
  const auto scaled = [](uint64_t bits, int digits) { return std::ldexp(static_cast<double>(bits), -digits); };
  ASSERT_OK_AND_ASSIGN(const Tensor f32, Draw(ElementType::kF32, 0, {5}));
  ExpectTensorEq(f32, F32({5}, {scaled(0x6627e8, 24), scaled(0xe169c5, 24), scaled(0xbc57ac, 24), scaled(0x9b00db, 24),
                                scaled(0xf8e4cc, 24)}));
  ASSERT_OK_AND_ASSIGN(const Tensor bf16, Draw(ElementType::kBf16, 0, {2}));
  ExpectTensorEq(bf16, BF16({2}, {scaled(0x66, 8), scaled(0xe1, 8)}));
  ASSERT_OK_AND_ASSIGN(const Tensor f16, Draw(ElementType::kF16, 0, {1}));
  ExpectTensorEq(f16, F16({1}, {scaled(0x6627e8d5 >> 21, 11)}));
  ASSERT_OK_AND_ASSIGN(const Tensor f64, Draw(ElementType::kF64, 0, {3}));
  ExpectTensorEq(f64, F64({3}, {scaled(0xe169c58d6627e8d5 >> 11, 53), scaled(0x9b00dbd8bc57ac4c >> 11, 53),
                                scaled(0x5cb200dbf8e4cca4 >> 11, 53)}));
  ASSERT_OK_AND_ASSIGN(const Tensor keyed, Draw(ElementType::kF32, (int64_t{1} << 32) + 7, {2}));
  ExpectTensorEq(keyed, F32({2}, {scaled(0x59c2c1, 24), scaled(0xf7fde2, 24)}));
}

TEST(RandomUniformTest, NumbersDependOnSeedAndPositionAlone) {
  ASSERT_OK_AND_ASSIGN(const Tensor line, Draw(ElementType::kF32, 3, {5000}));
  ASSERT_OK_AND_ASSIGN(const Tensor plane, Draw(ElementType::kF32, 3, {2, 5, 500}));
  EXPECT_EQ(Doubles(line), Doubles(plane));
  ASSERT_OK_AND_ASSIGN(const Tensor start, Draw(ElementType::kF32, 3, {1030}));
  const std::vector<double> all = Doubles(line);
  EXPECT_EQ(Doubles(start), std::vector<double>(all.begin(), all.begin() + 1030));
  ASSERT_OK_AND_ASSIGN(const Tensor other, Draw(ElementType::kF32, 4, {5000}));
  EXPECT_NE(Doubles(line), Doubles(other));
}

// Mean 1/2 and variance 1/12, each within five standard deviations of the estimate; no two neighbours go together.
TEST(RandomUniformTest, NumbersAreSpreadEvenly) {
  constexpr int kCount = 100000;
  for (const ElementType type : {ElementType::kF16, ElementType::kBf16, ElementType::kF32, ElementType::kF64}) {
    SCOPED_TRACE(Name(type));
    ASSERT_OK_AND_ASSIGN(const Tensor tensor, Draw(type, 12345, {kCount}));
    const std::vector<double> values = Doubles(tensor);
    // The grid of a type begins at 0, which puts the mean half a step lower.
    const double half_step = std::ldexp(0.5, -SignificandDigits(type));
    double sum = 0;
    double squares = 0;
    double products = 0;
    for (size_t i = 0; i < values.size(); ++i) {
      const double centred = values[i] + half_step - 0.5;
      sum += centred;
      squares += centred * centred;
      if (i > 0) products += centred * (values[i - 1] + half_step - 0.5);
    }
    EXPECT_NEAR(sum / kCount, 0, 5 * std::sqrt(1.0 / 12 / kCount));
    EXPECT_NEAR(squares / kCount, 1.0 / 12, 5 * std::sqrt(1.0 / 180 / kCount));
    EXPECT_NEAR(products / kCount, 0, 5.0 / 12 / std::sqrt(kCount));
    EXPECT_GE(*std::min_element(values.begin(), values.end()), 0);
    EXPECT_LT(*std::max_element(values.begin(), values.end()), 1);
  }
}

TEST(RandomUniformTest, WithoutElementsAndOfRankZero) {
  ASSERT_OK_AND_ASSIGN(const Tensor empty, Draw(ElementType::kF32, 0, {3, 0}));
  ExpectTensorEq(empty, F32({3, 0}, {}));
  ASSERT_OK_AND_ASSIGN(const Tensor scalar, Draw(ElementType::kF32, 0, {}));
  EXPECT_TRUE(scalar.shape().empty());
}

// What passes may do with the operation is right because it is pure: they fold and merge by these facts.
TEST(RandomUniformTest, IsPureAndFoldsToWhatItGives) {
  EXPECT_FALSE(RandomUniformOp().Has(kImpure));
  ASSERT_OK_AND_ASSIGN(const ValueInfo folded,
                       InferOne(RandomUniformOp(), Make(ElementType::kF32, 9), {Constant(I64({2}, {2, 3}))}));
  ASSERT_OK_AND_ASSIGN(const Tensor drawn, Draw(ElementType::kF32, 9, {2, 3}));
  ASSERT_TRUE(folded.constant.has_value());
  ExpectTensorEq(folded.constant, drawn);
}

TEST(RandomUniformTest, InfersAsMuchAsIsKnown) {
  const Dimension n = Dimension::Symbol("n");
  const auto infer = [](const ValueInfo& shape) {
    return InferOne(RandomUniformOp(), Make(ElementType::kF64, 0), {shape});
  };
  ASSERT_OK_AND_ASSIGN(const ValueInfo partial, infer(Partial({n, 4})));
  EXPECT_EQ(partial.shape, PartialShape({n, 4}));
  EXPECT_EQ(partial.type, ElementType::kF64);
  ASSERT_OK_AND_ASSIGN(const ValueInfo rank, infer(Known(ElementType::kI64, {3})));
  EXPECT_EQ(rank.shape, PartialShape::OfRank(3));
  ASSERT_OK_AND_ASSIGN(const ValueInfo nothing, infer(Known(ElementType::kI64, {Dimension()})));
  EXPECT_FALSE(nothing.shape.has_rank());
}

TEST(RandomUniformTest, C1_RefusesShapes) {
  const RandomUniformAttributes attributes = Make(ElementType::kF32, 0);
  ExpectInferFails(RandomUniformOp(), attributes, {Constant(I64({2}, {2, -3}))}, "RandomUniform_c1");
  ExpectInferFails(RandomUniformOp(), attributes, {Constant(F32({1}, {2}))}, "RandomUniform_c1");
  ExpectInferFails(RandomUniformOp(), attributes, {Constant(I64({}, {2}))}, "RandomUniform_c1");
}

TEST(RandomUniformTest, C2_RefusesTypes) {
  for (const ElementType type : {ElementType::kI32, ElementType::kF8E5M2, ElementType::kBoolean}) {
    ExpectInferFails(RandomUniformOp(), Make(type, 0), {Constant(I64({1}, {2}))}, "RandomUniform_c2");
  }
}

}  // namespace
}  // namespace burin::ir
