#include "tools/models/weights.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

#include "ir/tensor.h"
#include "testing/gtest/status_matchers.h"

namespace burin::models {
namespace {

uint32_t Bits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

// Computed apart from this code, by the definition in the header with Python's integers and floats.
TEST(WeightsTest, BitsAreThoseOfTheDefinition) {
  WeightSource source(7);
  ASSERT_OK_AND_ASSIGN(ir::Tensor first, source.Uniform({3}, 0, 1));
  ASSERT_OK_AND_ASSIGN(ir::Tensor second, source.Uniform({2}, 10, 0.5));
  EXPECT_EQ(Bits(first.data_as<float>()[0]), UINT32_C(0x3e600a3d));
  EXPECT_EQ(Bits(first.data_as<float>()[1]), UINT32_C(0xbe3a0019));
  EXPECT_EQ(Bits(first.data_as<float>()[2]), UINT32_C(0x3f7e5456));
  EXPECT_EQ(Bits(second.data_as<float>()[0]), UINT32_C(0x411ab00e));
  EXPECT_EQ(Bits(second.data_as<float>()[1]), UINT32_C(0x4118d692));
}

TEST(WeightsTest, SeedsAndTensorsDiffer) {
  WeightSource one(1);
  WeightSource again(1);
  WeightSource two(2);
  ASSERT_OK_AND_ASSIGN(ir::Tensor a, one.Uniform({16}, 0, 1));
  ASSERT_OK_AND_ASSIGN(ir::Tensor next, one.Uniform({16}, 0, 1));
  ASSERT_OK_AND_ASSIGN(ir::Tensor b, again.Uniform({16}, 0, 1));
  ASSERT_OK_AND_ASSIGN(ir::Tensor c, two.Uniform({16}, 0, 1));
  EXPECT_TRUE(ir::BitwiseEqual(a, b));
  EXPECT_FALSE(ir::BitwiseEqual(a, next));
  EXPECT_FALSE(ir::BitwiseEqual(a, c));
}

TEST(WeightsTest, ScaledHasTheVarianceAskedFor) {
  WeightSource source(3);
  ASSERT_OK_AND_ASSIGN(ir::Tensor weights, source.Scaled({100000}, 50, 2));
  double sum = 0;
  double squares = 0;
  for (int64_t i = 0; i < weights.element_count(); ++i) {
    const double value = weights.data_as<float>()[i];
    sum += value;
    squares += value * value;
  }
  const double count = static_cast<double>(weights.element_count());
  EXPECT_NEAR(sum / count, 0, 0.003);  // Five standard errors.
  EXPECT_NEAR(squares / count, 2.0 / 50, 0.0006);
}

TEST(WeightsTest, ImpossibleShapeIsRefused) {
  WeightSource source(1);
  EXPECT_THAT(source.Uniform({-1}, 0, 1), StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace burin::models
