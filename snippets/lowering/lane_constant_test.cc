#include "snippets/lowering/lane_constant.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "absl/base/casts.h"
#include "absl/status/status.h"
#include "base/element_access.h"
#include "base/element_type.h"
#include "ir/tensor.h"
#include "testing/gtest/status_matchers.h"

namespace burin::snippets {
namespace {

ir::Tensor Scalar(ElementType type, double value) {
  ir::Tensor tensor = ir::Tensor::Create(type, {}).value();
  StoreRangeFromDouble(type, tensor.mutable_data(), 0, 1, &value);
  return tensor;
}

TEST(LaneConstantTest, FloatsOfAnyTypeAreF32) {
  for (const ElementType type : {ElementType::kF32, ElementType::kF16, ElementType::kBf16}) {
    ASSERT_OK_AND_ASSIGN(const uint64_t bits, LaneConstant(Scalar(type, -1.5)));
    EXPECT_EQ(absl::bit_cast<float>(static_cast<uint32_t>(bits)), -1.5f) << type;
  }
}

TEST(LaneConstantTest, IntegersAndBooleansAreThemselves) {
  ASSERT_OK_AND_ASSIGN(const uint64_t negative, LaneConstant(Scalar(ElementType::kI8, -3)));
  EXPECT_EQ(negative, uint64_t{0xFFFFFFFD});
  ASSERT_OK_AND_ASSIGN(const uint64_t byte, LaneConstant(Scalar(ElementType::kU8, 250)));
  EXPECT_EQ(byte, 250u);
  ASSERT_OK_AND_ASSIGN(const uint64_t truth, LaneConstant(Scalar(ElementType::kBoolean, 1)));
  EXPECT_EQ(truth, 1u);
}

TEST(LaneConstantTest, WideElementsAreThemselves) {
  ASSERT_OK_AND_ASSIGN(const uint64_t real, LaneConstant(Scalar(ElementType::kF64, -0.1)));
  EXPECT_EQ(absl::bit_cast<double>(real), -0.1);
  ASSERT_OK_AND_ASSIGN(const uint64_t integer, LaneConstant(Scalar(ElementType::kI64, -3)));
  EXPECT_EQ(absl::bit_cast<int64_t>(integer), -3);
}

TEST(LaneConstantTest, RefusesWhatLanesDoNotHold) {
  for (const ElementType type : {ElementType::kU64, ElementType::kU32}) {
    EXPECT_THAT(LaneConstant(Scalar(type, 1)).status(), StatusIs(absl::StatusCode::kUnimplemented)) << type;
  }
}

}  // namespace
}  // namespace burin::snippets
