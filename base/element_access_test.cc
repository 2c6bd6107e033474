#include "base/element_access.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "base/element_type.h"
#include "base/float_conversion.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace burin {
namespace {

using ::testing::ElementsAre;

constexpr double kInf = std::numeric_limits<double>::infinity();
const double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr int64_t kMinI64 = std::numeric_limits<int64_t>::min();
constexpr int64_t kMaxI64 = std::numeric_limits<int64_t>::max();

std::vector<ElementType> NumericTypes() {
  std::vector<ElementType> types;
  for (ElementType type : kAllElementTypes) {
    if (type != ElementType::kString) types.push_back(type);
  }
  return types;
}

// Stores into an element of a fresh array and loads it back.
double DoubleToDouble(ElementType type, double value) {
  unsigned char data[16] = {};
  StoreFromDouble(type, data, 1, value);
  return LoadAsDouble(type, data, 1);
}
int64_t DoubleToInt64(ElementType type, double value) {
  unsigned char data[16] = {};
  StoreFromDouble(type, data, 1, value);
  return LoadAsInt64(type, data, 1);
}
int64_t Int64ToInt64(ElementType type, int64_t value) {
  unsigned char data[16] = {};
  StoreFromInt64(type, data, 1, value);
  return LoadAsInt64(type, data, 1);
}
double Int64ToDouble(ElementType type, int64_t value) {
  unsigned char data[16] = {};
  StoreFromInt64(type, data, 1, value);
  return LoadAsDouble(type, data, 1);
}

TEST(ElementAccessTest, OneIsOneInEveryType) {
  for (ElementType type : NumericTypes()) {
    EXPECT_EQ(DoubleToDouble(type, 1), 1) << type;
    EXPECT_EQ(DoubleToInt64(type, 1), 1) << type;
    EXPECT_EQ(Int64ToInt64(type, 1), 1) << type;
    EXPECT_EQ(Int64ToDouble(type, 1), 1) << type;
  }
}

TEST(ElementAccessTest, ReadsThePlainLayout) {
  const int16_t i16[] = {-5, 300};
  EXPECT_EQ(LoadAsDouble(ElementType::kI16, i16, 1), 300);
  EXPECT_EQ(LoadAsInt64(ElementType::kI16, i16, 0), -5);
  const float f32[] = {0.5f, -2.75f};
  EXPECT_EQ(LoadAsDouble(ElementType::kF32, f32, 1), -2.75);
  EXPECT_EQ(LoadAsInt64(ElementType::kF32, f32, 1), -2);
  const uint16_t f16[] = {0x3C00, 0xC500};
  EXPECT_EQ(LoadAsDouble(ElementType::kF16, f16, 1), -5);
  EXPECT_EQ(LoadAsDouble(ElementType::kBf16, f16, 0), DecodeBF16(0x3C00));
  const uint8_t boolean[] = {0, 1, 7};
  EXPECT_EQ(LoadAsDouble(ElementType::kBoolean, boolean, 2), 1);
  EXPECT_EQ(LoadAsInt64(ElementType::kBoolean, boolean, 2), 1);
  EXPECT_EQ(LoadAsInt64(ElementType::kBoolean, boolean, 0), 0);
}

TEST(ElementAccessTest, ReadsPackedElementsFromTheLowBitsUp) {
  const uint8_t bytes[] = {0xE1, 0x07};
  int64_t values[4];
  LoadRangeAsInt64(ElementType::kU4, bytes, 0, 4, values);
  EXPECT_THAT(values, ElementsAre(1, 14, 7, 0));
  LoadRangeAsInt64(ElementType::kI4, bytes, 0, 4, values);
  EXPECT_THAT(values, ElementsAre(1, -2, 7, 0));
  LoadRangeAsInt64(ElementType::kU2, bytes, 0, 4, values);
  EXPECT_THAT(values, ElementsAre(1, 0, 2, 3));
  LoadRangeAsInt64(ElementType::kI2, bytes, 0, 4, values);
  EXPECT_THAT(values, ElementsAre(1, 0, -2, -1));
  double doubles[3];
  LoadRangeAsDouble(ElementType::kF4E2M1, bytes, 0, 3, doubles);
  EXPECT_THAT(doubles, ElementsAre(0.5, -4, 6));
}

TEST(ElementAccessTest, StoringAPackedElementKeepsItsNeighbours) {
  for (ElementType type :
       {ElementType::kI2, ElementType::kU2, ElementType::kI4, ElementType::kU4, ElementType::kF4E2M1}) {
    for (int64_t index = 0; index < 8; ++index) {
      for (const uint8_t fill : {uint8_t{0x00}, uint8_t{0xFF}, uint8_t{0x5A}}) {
        uint8_t data[4];
        std::memset(data, fill, sizeof(data));
        std::vector<int64_t> before(8);
        LoadRangeAsInt64(type, data, 0, 8, before.data());
        StoreFromInt64(type, data, index, 1);
        for (int64_t i = 0; i < 8; ++i) EXPECT_EQ(LoadAsInt64(type, data, i), i == index ? 1 : before[i]) << type;
      }
    }
  }
}

TEST(ElementAccessTest, DoublesTruncateAndSaturateInIntegers) {
  for (ElementType type : NumericTypes()) {
    if (!IsInteger(type)) continue;
    const int bits = BitWidth(type);
    const double max = std::ldexp(1.0, IsSignedInteger(type) ? bits - 1 : bits);  // One past the largest.
    const double min = IsSignedInteger(type) ? -max : 0.0;
    EXPECT_EQ(DoubleToDouble(type, 0.99), 0) << type;
    EXPECT_EQ(DoubleToDouble(type, 1.99), 1) << type;
    EXPECT_EQ(DoubleToDouble(type, -0.99), 0) << type;
    EXPECT_EQ(DoubleToDouble(type, -1.99), IsSignedInteger(type) ? -1 : 0) << type;
    EXPECT_EQ(DoubleToDouble(type, kNan), 0) << type;
    EXPECT_EQ(DoubleToDouble(type, -kInf), min) << type;
    EXPECT_EQ(DoubleToDouble(type, min - 1), min) << type;
    EXPECT_EQ(DoubleToDouble(type, min), min) << type;
    // Exact up to 53 bits; for i64 and u64 reading back rounds up to the power of two.
    const double largest = bits <= 32 ? max - 1 : max;
    EXPECT_EQ(DoubleToDouble(type, max), largest) << type;
    EXPECT_EQ(DoubleToDouble(type, kInf), largest) << type;
    EXPECT_EQ(DoubleToDouble(type, 1e300), largest) << type;
    if (bits <= 32) {
      EXPECT_EQ(DoubleToDouble(type, max - 0.5), max - 1) << type;
    }
  }
  EXPECT_EQ(DoubleToInt64(ElementType::kI64, 1e19), kMaxI64);
  EXPECT_EQ(DoubleToInt64(ElementType::kI64, -1e19), kMinI64);
  EXPECT_EQ(DoubleToInt64(ElementType::kI64, 0x1.FFFFFFFFFFFFFp62), 0x7FFFFFFFFFFFFC00);
  EXPECT_EQ(DoubleToInt64(ElementType::kU64, 1e30), -1);
  EXPECT_EQ(DoubleToInt64(ElementType::kU64, 0x1p63), kMinI64);
}

TEST(ElementAccessTest, IntegersWrap) {
  EXPECT_EQ(Int64ToInt64(ElementType::kU8, 257), 1);
  EXPECT_EQ(Int64ToInt64(ElementType::kU8, -1), 255);
  EXPECT_EQ(Int64ToInt64(ElementType::kI8, 200), -56);
  EXPECT_EQ(Int64ToInt64(ElementType::kI32, int64_t{1} << 31), -(int64_t{1} << 31));
  EXPECT_EQ(Int64ToInt64(ElementType::kU4, 18), 2);
  EXPECT_EQ(Int64ToInt64(ElementType::kI4, 9), -7);
  EXPECT_EQ(Int64ToInt64(ElementType::kI2, 2), -2);
  EXPECT_EQ(Int64ToInt64(ElementType::kU64, -3), -3);
  EXPECT_EQ(Int64ToDouble(ElementType::kU64, -1), 0x1p64);
  EXPECT_EQ(Int64ToInt64(ElementType::kI64, kMinI64), kMinI64);
}

TEST(ElementAccessTest, BooleansAreZeroOrOne) {
  for (const double value : {0.5, -1.0, 300.0, kInf, kNan}) {
    EXPECT_EQ(DoubleToInt64(ElementType::kBoolean, value), 1) << value;
  }
  EXPECT_EQ(DoubleToInt64(ElementType::kBoolean, -0.0), 0);
  EXPECT_EQ(Int64ToInt64(ElementType::kBoolean, 256), 1);
  uint8_t byte = 9;
  StoreFromInt64(ElementType::kBoolean, &byte, 0, 42);
  EXPECT_EQ(byte, 1);
}

TEST(ElementAccessTest, FloatTypesOverflowByTheirRule) {
  EXPECT_EQ(DoubleToDouble(ElementType::kF16, 1e6), kInf);
  EXPECT_EQ(DoubleToDouble(ElementType::kBf16, 1e300), kInf);
  EXPECT_EQ(DoubleToDouble(ElementType::kF32, 1e300), kInf);
  EXPECT_EQ(DoubleToDouble(ElementType::kF8E4M3FN, 1e6), 448);
  EXPECT_EQ(DoubleToDouble(ElementType::kF8E4M3FNUZ, -1e6), -240);
  EXPECT_EQ(DoubleToDouble(ElementType::kF8E5M2, 1e6), 57344);
  EXPECT_EQ(DoubleToDouble(ElementType::kF8E5M2FNUZ, kInf), 57344);
  EXPECT_EQ(DoubleToDouble(ElementType::kF4E2M1, 100), 6);
  EXPECT_EQ(DoubleToDouble(ElementType::kF8E8M0, 5), 8);
  EXPECT_TRUE(std::isnan(DoubleToDouble(ElementType::kF16, kNan)));
  EXPECT_EQ(DoubleToInt64(ElementType::kF32, kNan), 0);
  EXPECT_EQ(DoubleToInt64(ElementType::kF64, 1e300), kMaxI64);
}

// 2^62 + 2^54 is the middle between two bf16; one more in the last place decides, and is lost in a double.
TEST(ElementAccessTest, LargeIntegersRoundOnce) {
  const int64_t middle = (int64_t{1} << 62) + (int64_t{1} << 54);
  EXPECT_EQ(Int64ToDouble(ElementType::kBf16, middle), 0x1p62);
  EXPECT_EQ(Int64ToDouble(ElementType::kBf16, middle + 1), 0x1p62 + 0x1p55);
  EXPECT_EQ(Int64ToDouble(ElementType::kBf16, -middle - 1), -(0x1p62 + 0x1p55));
  EXPECT_EQ(Int64ToDouble(ElementType::kBf16, middle - 1), 0x1p62);
  EXPECT_EQ(Int64ToDouble(ElementType::kBf16, kMinI64), -0x1p63);
  const int64_t float_middle = (int64_t{1} << 62) + (int64_t{1} << 38);
  EXPECT_EQ(Int64ToDouble(ElementType::kF32, float_middle), 0x1p62);
  EXPECT_EQ(Int64ToDouble(ElementType::kF32, float_middle + 1), 0x1p62 + 0x1p39);
}

TEST(ElementAccessTest, UnalignedDataIsFine) {
  unsigned char data[32] = {};
  for (ElementType type : NumericTypes()) {
    StoreFromDouble(type, data + 1, 2, 1.0);
    EXPECT_EQ(LoadAsDouble(type, data + 1, 2), 1.0) << type;
  }
}

TEST(ElementAccessTest, RangesEqualSingleElements) {
  constexpr uint64_t kSeed = 4711;
  SCOPED_TRACE(kSeed);
  std::mt19937_64 random(kSeed);
  constexpr int64_t kCount = 37;
  for (ElementType type : NumericTypes()) {
    for (const int64_t begin : {0, 1, 3, 5}) {
      std::vector<unsigned char> ranged(8 * 48);
      for (unsigned char& byte : ranged) byte = static_cast<unsigned char>(random());
      std::vector<unsigned char> single = ranged;
      std::vector<double> doubles(kCount);
      std::vector<int64_t> ints(kCount);
      LoadRangeAsDouble(type, ranged.data(), begin, kCount, doubles.data());
      LoadRangeAsInt64(type, ranged.data(), begin, kCount, ints.data());
      for (int64_t i = 0; i < kCount; ++i) {
        const double expected = LoadAsDouble(type, single.data(), begin + i);
        EXPECT_EQ(std::memcmp(&doubles[i], &expected, sizeof(expected)), 0) << type << " " << i;
        EXPECT_EQ(ints[i], LoadAsInt64(type, single.data(), begin + i)) << type << " " << i;
      }
      for (double& value : doubles) value = static_cast<double>(static_cast<int64_t>(random())) / 0x1p60;
      StoreRangeFromDouble(type, ranged.data(), begin, kCount, doubles.data());
      for (int64_t i = 0; i < kCount; ++i) StoreFromDouble(type, single.data(), begin + i, doubles[i]);
      EXPECT_EQ(ranged, single) << type;
      for (int64_t& value : ints) value = static_cast<int64_t>(random());
      StoreRangeFromInt64(type, ranged.data(), begin, kCount, ints.data());
      for (int64_t i = 0; i < kCount; ++i) StoreFromInt64(type, single.data(), begin + i, ints[i]);
      EXPECT_EQ(ranged, single) << type;
    }
  }
}

TEST(ElementAccessDeathTest, TypesWithoutNumbersAreABug) {
  char data[8] = {};
  EXPECT_DEATH(LoadAsDouble(ElementType::kString, data, 0), "elements of type string have no numeric value");
  EXPECT_DEATH(StoreFromInt64(ElementType::kUndefined, data, 0, 1), "type undefined");
  EXPECT_DEATH(LoadAsInt64(ElementType::kI8, data, -1), "begin >= 0");
}

}  // namespace
}  // namespace burin
