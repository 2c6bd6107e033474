#include "testing/oracle/compare.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/element_type.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/tensor.h"
#include "testing/gtest/status_matchers.h"

namespace burin::oracle {
namespace {

template <class T>
ir::Tensor Make(ElementType type, const std::vector<T>& values) {
  ir::Tensor tensor = ir::Tensor::Create(type, {static_cast<int64_t>(values.size())}).value();
  std::copy(values.begin(), values.end(), tensor.mutable_data_as<T>());
  return tensor;
}
ir::Tensor F32(const std::vector<float>& values) { return Make(ElementType::kF32, values); }

constexpr float kInf = std::numeric_limits<float>::infinity();

TEST(CompareTest, FindsTheWorstElementAndScalesByTheLargestMagnitude) {
  ASSERT_OK_AND_ASSIGN(Comparison c, Compare(F32({1, 2.5f, -8}), F32({1, 2, -8})));
  EXPECT_EQ(c.max_abs_error, 0.5);
  EXPECT_EQ(c.scale, 8);
  EXPECT_EQ(c.max_scaled_error, 0.0625);
  EXPECT_EQ(c.max_element_error, 0.25);
  EXPECT_EQ(c.worst_index, 1);
  EXPECT_EQ(c.worst_actual, 2.5);
  EXPECT_EQ(c.worst_expected, 2);
  EXPECT_EQ(c.differing, 1);
}

TEST(CompareTest, SpecialValuesAreEqualOnlyToThemselves) {
  EXPECT_EQ(Compare(F32({NAN, kInf, -kInf, 0.0f}), F32({NAN, kInf, -kInf, -0.0f}))->max_abs_error, 0);
  EXPECT_EQ(Compare(F32({NAN, 1}), F32({1, 1}))->max_abs_error, kInf);
  EXPECT_EQ(Compare(F32({1, 1}), F32({1, NAN}))->max_abs_error, kInf);
  EXPECT_EQ(Compare(F32({kInf, 1}), F32({-kInf, 1}))->max_abs_error, kInf);
  EXPECT_EQ(Compare(F32({1e30f, 1}), F32({kInf, 1}))->max_abs_error, kInf);
}

TEST(CompareTest, ZerosAndNothing) {
  EXPECT_EQ(Compare(F32({}), F32({}))->max_scaled_error, 0);
  ASSERT_OK_AND_ASSIGN(Comparison c, Compare(F32({0.25f}), F32({0})));
  EXPECT_EQ(c.max_scaled_error, 0.25);
  EXPECT_EQ(c.cosine, 0);
  EXPECT_EQ(Compare(F32({0}), F32({0}))->cosine, 1);
}

TEST(CompareTest, Cosine) {
  EXPECT_NEAR(Compare(F32({1, 0}), F32({1, 1}))->cosine, std::sqrt(0.5), 1e-12);
  EXPECT_NEAR(Compare(F32({2, 2}), F32({1, 1}))->cosine, 1, 1e-12);
  EXPECT_NEAR(Compare(F32({-1, 0}), F32({1, 0}))->cosine, -1, 1e-12);
}

TEST(CompareTest, LargeIntegersAreComparedExactly) {
  const int64_t big = (int64_t{1} << 60) + 1;
  EXPECT_EQ(Compare(Make<int64_t>(ElementType::kI64, {big}), Make<int64_t>(ElementType::kI64, {big - 1}))->differing,
            1);
  EXPECT_EQ(Compare(Make<int64_t>(ElementType::kI64, {big}), Make<int64_t>(ElementType::kI64, {big}))->differing, 0);
  const int64_t low = std::numeric_limits<int64_t>::min();
  EXPECT_GT(Compare(Make<int64_t>(ElementType::kI64, {low}), Make<int64_t>(ElementType::kI64, {big}))->max_abs_error,
            1e18);
}

TEST(CompareTest, OtherTypesAndShapesAreErrors) {
  EXPECT_THAT(Compare(F32({1}), Make<int32_t>(ElementType::kI32, {1})).status(),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Compare(F32({1}), F32({1, 2})).status(), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(CompareTest, StridedTensors) {
  const ir::Tensor whole = F32({1, 2, 3, 4});
  EXPECT_EQ(Compare(whole.Region({1}, {3}).value(), F32({2, 3}))->differing, 0);
}

}  // namespace
}  // namespace burin::oracle
