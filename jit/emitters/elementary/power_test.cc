#include "jit/emitters/elementary/power.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "absl/types/span.h"
#include "jit/emitters/row_kernel.h"
#include "jit/emitters/row_testlib.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kDenormal = std::numeric_limits<float>::denorm_min();
constexpr float kMax = std::numeric_limits<float>::max();

struct PowerValue {
  float x;
  float y;
  float result;
};

void ExpectPowers(absl::Span<const PowerValue> values) {
  std::vector<std::vector<uint32_t>> tuples;
  for (const PowerValue& value : values) tuples.push_back({Bits(value.x), Bits(value.y), Bits(value.result)});
  ExpectBits(RowFunction::Of("Power", 2, [](auto& v, absl::Span<const VecGroup> o) { EmitPower(v, o[0], o[1]); }),
             tuples);
}

TEST(PowerTest, IsOneForExponentZeroAndBaseOne) {
  for (const float any : {0.0f, -0.0f, 2.5f, -2.5f, kDenormal, kMax, kInfinity, -kInfinity, kNan}) {
    ExpectPowers({{any, 0.0f, 1.0f}, {any, -0.0f, 1.0f}, {1.0f, any, 1.0f}});
  }
}

TEST(PowerTest, TakesZeroBases) {
  ExpectPowers({
      {0.0f, 3.0f, 0.0f},
      {-0.0f, 3.0f, -0.0f},
      {-0.0f, 2.0f, 0.0f},
      {-0.0f, 0.5f, 0.0f},
      {-0.0f, kDenormal, 0.0f},
      {0.0f, -3.0f, kInfinity},
      {-0.0f, -3.0f, -kInfinity},
      {-0.0f, -2.0f, kInfinity},
      {-0.0f, -0.5f, kInfinity},
      {0.0f, kInfinity, 0.0f},
      {0.0f, -kInfinity, kInfinity},
      {-0.0f, -kInfinity, kInfinity},
  });
}

TEST(PowerTest, TakesInfiniteBases) {
  ExpectPowers({
      {kInfinity, 0.5f, kInfinity},
      {kInfinity, -0.5f, 0.0f},
      {-kInfinity, 3.0f, -kInfinity},
      {-kInfinity, 2.0f, kInfinity},
      {-kInfinity, 0.5f, kInfinity},
      {-kInfinity, -3.0f, -0.0f},
      {-kInfinity, -2.0f, 0.0f},
      {-kInfinity, -0.5f, 0.0f},
      {-kInfinity, kInfinity, kInfinity},
      {-kInfinity, -kInfinity, 0.0f},
  });
}

TEST(PowerTest, TakesInfiniteExponents) {
  ExpectPowers({
      {0.5f, kInfinity, 0.0f},
      {-0.5f, kInfinity, 0.0f},
      {1.5f, kInfinity, kInfinity},
      {-1.5f, kInfinity, kInfinity},
      {0.5f, -kInfinity, kInfinity},
      {1.5f, -kInfinity, 0.0f},
      {-1.0f, kInfinity, 1.0f},
      {-1.0f, -kInfinity, 1.0f},
  });
}

TEST(PowerTest, KeepsNan) {
  ExpectPowers({{kNan, 2.0f, kNan}, {2.0f, kNan, kNan}, {-1.0f, kNan, kNan}, {0.0f, kNan, kNan}, {kNan, kNan, kNan}});
}

TEST(PowerTest, NegativeBasesTakeIntegers) {
  ExpectPowers({
      {-2.0f, 3.0f, -8.0f},
      {-2.0f, 4.0f, 16.0f},
      {-2.0f, -3.0f, -0.125f},
      {-2.0f, 0.5f, kNan},
      {-8.0f, 0.333333343f, kNan},
      {-kMax, 0.5f, kNan},
      {-kDenormal, -1.5f, kNan},
      {-1.0f, 16777215.0f, -1.0f},
      {-1.0f, 16777216.0f, 1.0f},
      {-1.0f, 8388607.5f, kNan},
      {-1.0f, kMax, 1.0f},
      {-1.5f, 1e9f, kInfinity},
  });
}

TEST(PowerTest, SmallIntegersAreExact) {
  for (int x = 2; x <= 16; ++x) {
    for (int y = 2; std::pow(x, y) <= 16777216; ++y) {
      const float base = static_cast<float>(x);
      const float exponent = static_cast<float>(y);
      ExpectPowers({{base, exponent, std::pow(base, exponent)}, {base * base, 0.5f, base}});
    }
  }
}

TEST(PowerTest, OverflowsAndUnderflows) {
  ExpectPowers({
      {2.0f, 127.0f, 0x1p+127f},
      {2.0f, 128.0f, kInfinity},
      {-2.0f, 129.0f, -kInfinity},
      {2.0f, -149.0f, kDenormal},
      {2.0f, -150.0f, 0.0f},
      {-2.0f, -151.0f, -0.0f},
      {kMax, kMax, kInfinity},
      {kMax, -kMax, 0.0f},
      {kDenormal, 0.5f, 0x1.6a09e6p-75f},
      {kDenormal, 1.0f, kDenormal},
  });
}

}  // namespace
}  // namespace burin::jit
