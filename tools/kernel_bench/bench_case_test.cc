#include "tools/kernel_bench/bench_case.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace burin::kernel_bench {
namespace {

using ::testing::HasSubstr;

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(BenchCaseTest, ErrorsOfRightResults) {
  const std::vector<float> results = {1.0f, 100.5f, 0.125f};
  const std::vector<double> reference = {1.0, 100.0, 0.0};
  const Accuracy accuracy = CompareResults<float>(results, reference, 0.2);
  EXPECT_TRUE(accuracy.right) << accuracy.note;
  EXPECT_DOUBLE_EQ(accuracy.max_absolute, 0.5);
  EXPECT_DOUBLE_EQ(accuracy.max_relative, 0.005);
}

TEST(BenchCaseTest, WrongBeyondTheTolerance) {
  const Accuracy accuracy = CompareResults<float>({1.0f, 2.5f, 9.0f}, {1.0, 2.0, 3.0}, 0.1);
  EXPECT_FALSE(accuracy.right);
  EXPECT_THAT(accuracy.note, HasSubstr("element 1 is 2.5 instead of 2"));
}

TEST(BenchCaseTest, NotNumbersAndInfinitiesMustBeThoseOfTheReference) {
  EXPECT_TRUE(CompareResults<float>({kNan, kInf, -kInf}, {std::nan(""), kInf, -kInf}, 0).right);
  EXPECT_FALSE(CompareResults<float>({kNan}, {1.0}, 1).right);
  EXPECT_FALSE(CompareResults<float>({1.0f}, {std::nan("")}, 1).right);
  EXPECT_FALSE(CompareResults<float>({kInf}, {-kInf}, 1).right);
  EXPECT_FALSE(CompareResults<float>({kInf}, {1e30}, 1).right);
}

TEST(BenchCaseTest, IntegersAreComparedExactly) {
  EXPECT_TRUE(CompareResults<int32_t>({2147483647, -5}, {2147483647.0, -5.0}, 0).right);
  EXPECT_FALSE(CompareResults<int32_t>({2147483646}, {2147483647.0}, 0).right);
}

}  // namespace
}  // namespace burin::kernel_bench
