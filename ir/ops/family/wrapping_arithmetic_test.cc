#include "ir/ops/family/wrapping_arithmetic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace burin::ir {
namespace {

constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
constexpr uint64_t kUmax = std::numeric_limits<uint64_t>::max();
const double kNan = std::nan("");

TEST(WrappingArithmeticTest, IntegersWrap) {
  EXPECT_EQ(WrapAdd<int64_t>(kMax, 1), kMin);
  EXPECT_EQ(WrapSubtract<int64_t>(kMin, 1), kMax);
  EXPECT_EQ(WrapMultiply<int64_t>(kMax, 2), -2);
  EXPECT_EQ(WrapAdd<uint64_t>(kUmax, 2), 1u);
  EXPECT_EQ(WrapSubtract<uint64_t>(0, 1), kUmax);
  EXPECT_EQ(WrapAdd(0.5, 0.25), 0.75);
}

TEST(WrappingArithmeticTest, DivisionNeverTraps) {
  EXPECT_EQ(TruncateDivide<int64_t>(kMin, -1), kMin);
  EXPECT_EQ(FloorDivide<int64_t>(kMin, -1), kMin);
  EXPECT_EQ(TruncateModulo<int64_t>(kMin, -1), 0);
  EXPECT_EQ(FloorModulo<int64_t>(kMin, -1), 0);
  for (const int64_t a : {kMin, int64_t{-7}, int64_t{0}, int64_t{7}, kMax}) {
    EXPECT_EQ(TruncateDivide<int64_t>(a, 0), 0);
    EXPECT_EQ(FloorDivide<int64_t>(a, 0), 0);
    EXPECT_EQ(TruncateModulo<int64_t>(a, 0), 0);
    EXPECT_EQ(FloorModulo<int64_t>(a, 0), 0);
  }
  EXPECT_EQ(TruncateDivide<uint64_t>(kUmax, 0), 0u);
  EXPECT_EQ(FloorModulo<uint64_t>(kUmax, 0), 0u);
}

TEST(WrappingArithmeticTest, DivisionTruncatesOrFloors) {
  EXPECT_EQ(TruncateDivide<int64_t>(7, -2), -3);
  EXPECT_EQ(TruncateDivide<int64_t>(-7, 2), -3);
  EXPECT_EQ(FloorDivide<int64_t>(7, -2), -4);
  EXPECT_EQ(FloorDivide<int64_t>(-7, 2), -4);
  EXPECT_EQ(FloorDivide<int64_t>(-7, -2), 3);
  EXPECT_EQ(FloorDivide<int64_t>(-8, 2), -4);
  EXPECT_EQ(TruncateDivide<uint64_t>(kUmax, 2), 0x7fffffffffffffffu);
  EXPECT_EQ(FloorDivide(-7.0, 2.0), -3.5);
}

TEST(WrappingArithmeticTest, RemainderHasTheSignOfDividendOrDivisor) {
  EXPECT_EQ(TruncateModulo<int64_t>(-7, 3), -1);
  EXPECT_EQ(TruncateModulo<int64_t>(7, -3), 1);
  EXPECT_EQ(FloorModulo<int64_t>(-7, 3), 2);
  EXPECT_EQ(FloorModulo<int64_t>(7, -3), -2);
  EXPECT_EQ(FloorModulo<int64_t>(6, -3), 0);
  EXPECT_EQ(TruncateModulo(-5.5, 2.0), -1.5);
  EXPECT_EQ(FloorModulo(-5.5, 2.0), 0.5);
  EXPECT_TRUE(std::isnan(FloorModulo(1.0, 0.0)));
}

TEST(WrappingArithmeticTest, IntegerPowerIsExactAndWraps) {
  EXPECT_EQ(Power<int64_t>(3, 39), 4052555153018976267);
  EXPECT_EQ(Power<int64_t>(2, 64), 0);
  EXPECT_EQ(Power<int64_t>(-2, 63), kMin);
  EXPECT_EQ(Power<int64_t>(0, 0), 1);
  EXPECT_EQ(Power<int64_t>(2, -1), 0);
  EXPECT_EQ(Power<int64_t>(1, kMin), 1);
  EXPECT_EQ(Power<int64_t>(-1, -3), -1);
  EXPECT_EQ(Power<int64_t>(-1, -4), 1);
  EXPECT_EQ(Power<int64_t>(0, -1), 0);
  EXPECT_EQ(Power(2.0, -1.0), 0.5);
}

TEST(WrappingArithmeticTest, NanPassesThroughLargerAndSmaller) {
  EXPECT_TRUE(std::isnan(Larger(kNan, 1.0)));
  EXPECT_TRUE(std::isnan(Larger(1.0, kNan)));
  EXPECT_TRUE(std::isnan(Smaller(kNan, 1.0)));
  EXPECT_TRUE(std::isnan(Smaller(1.0, kNan)));
  EXPECT_EQ(Larger<uint64_t>(kUmax, 1), kUmax);
  EXPECT_EQ(Smaller<int64_t>(-1, 1), -1);
}

}  // namespace
}  // namespace burin::ir
