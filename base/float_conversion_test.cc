#include "base/float_conversion.h"

#include <cpuid.h>
#include <immintrin.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <random>
#include <vector>

#include "absl/base/casts.h"
#include "gtest/gtest.h"

namespace burin {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
const double kNan = std::numeric_limits<double>::quiet_NaN();

// One format as the tests see it: its functions, and its values written down independently of base/float_format.h.
struct Format {
  const char* name;
  int bits;
  double (*decode)(uint32_t code);
  uint32_t (*encode)(double value, Overflow overflow);
  int exponent_bits;
  int mantissa_bits;
  int bias;
  double max;
  bool has_infinity;
  bool has_nan;
  bool has_minus_zero;
};

template <class Code, double (*kDecode)(Code)>
double Decode(uint32_t code) {
  return kDecode(static_cast<Code>(code));
}
template <uint16_t (*kEncode)(double)>
uint32_t EncodeWide(double value, Overflow) {
  return kEncode(value);
}
template <uint8_t (*kEncode)(double, Overflow)>
uint32_t EncodeByte(double value, Overflow overflow) {
  return kEncode(value, overflow);
}
uint32_t EncodeNibble(double value, Overflow) { return EncodeF4E2M1(value); }

const Format kFormats[] = {
    {"f16", 16, Decode<uint16_t, DecodeF16>, EncodeWide<EncodeF16>, 5, 10, 15, 65504, true, true, true},
    {"bf16", 16, Decode<uint16_t, DecodeBF16>, EncodeWide<EncodeBF16>, 8, 7, 127, 0x1.FEp127, true, true, true},
    {"f8e4m3fn", 8, Decode<uint8_t, DecodeF8E4M3FN>, EncodeByte<EncodeF8E4M3FN>, 4, 3, 7, 448, false, true, true},
    {"f8e4m3fnuz", 8, Decode<uint8_t, DecodeF8E4M3FNUZ>, EncodeByte<EncodeF8E4M3FNUZ>, 4, 3, 8, 240, false, true,
     false},
    {"f8e5m2", 8, Decode<uint8_t, DecodeF8E5M2>, EncodeByte<EncodeF8E5M2>, 5, 2, 15, 57344, true, true, true},
    {"f8e5m2fnuz", 8, Decode<uint8_t, DecodeF8E5M2FNUZ>, EncodeByte<EncodeF8E5M2FNUZ>, 5, 2, 16, 57344, false, true,
     false},
    {"f4e2m1", 4, Decode<uint8_t, DecodeF4E2M1>, EncodeNibble, 2, 1, 1, 6, false, false, true},
};

bool FitsOverflow(const Format& format, Overflow overflow) {
  // f16 and bf16 have only the one rule, f4e2m1 the other.
  if (format.bits == 16) return overflow == Overflow::kNonFinite;
  if (format.bits == 4) return overflow == Overflow::kSaturate;
  return true;
}

// Returns the value of a code by the textbook formula; NaN for what is not finite.
double FormulaValue(const Format& format, uint32_t code) {
  const uint32_t mantissa = code & ((1u << format.mantissa_bits) - 1);
  const int exponent = static_cast<int>(code >> format.mantissa_bits) & ((1 << format.exponent_bits) - 1);
  const double sign = (code >> (format.bits - 1)) != 0 ? -1.0 : 1.0;
  const double fraction = std::ldexp(mantissa, -format.mantissa_bits);
  const double magnitude =
      exponent == 0 ? std::ldexp(fraction, 1 - format.bias) : std::ldexp(1 + fraction, exponent - format.bias);
  if (magnitude > format.max) return kNan;
  if (magnitude == 0 && sign < 0 && !format.has_minus_zero) return kNan;
  return sign * magnitude;
}

bool SameBits(double a, double b) { return absl::bit_cast<uint64_t>(a) == absl::bit_cast<uint64_t>(b); }

// The finite values of a format in ascending order, with their codes; minus zero left out.
struct Entry {
  double value;
  uint32_t code;
};
std::vector<Entry> SortedValues(const Format& format) {
  std::vector<Entry> entries;
  for (uint32_t code = 0; code < 1u << format.bits; ++code) {
    const double value = FormulaValue(format, code);
    if (std::isnan(value) || (value == 0 && std::signbit(value))) continue;
    entries.push_back({value, code});
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.value < b.value; });
  return entries;
}

// Returns what a value past the largest number must decode to.
double OverflowValue(const Format& format, Overflow overflow, bool negative) {
  const double sign = negative ? -1.0 : 1.0;
  if (overflow == Overflow::kSaturate) return sign * format.max;
  return format.has_infinity ? sign * kInf : kNan;
}

// Returns the nearest value by search among all values, ties to the even code.
double NearestBySearch(const Format& format, const std::vector<Entry>& sorted, double value, Overflow overflow) {
  // The number that would follow the largest one decides from where on a value overflows.
  const double step = format.max - sorted[sorted.size() - 2].value;
  const double limit = format.max + step / 2;
  const bool max_is_even = sorted.back().code % 2 == 0;
  if (std::fabs(value) > limit || (std::fabs(value) == limit && !max_is_even)) {
    return OverflowValue(format, overflow, value < 0);
  }
  const auto above = std::lower_bound(sorted.begin(), sorted.end(), value,
                                      [](const Entry& entry, double v) { return entry.value < v; });
  if (above == sorted.end()) return sorted.back().value;
  if (above == sorted.begin() || above->value == value) return above->value;
  const Entry& high = *above;
  const Entry& low = *(above - 1);
  const double to_high = high.value - value;
  const double to_low = value - low.value;
  const Entry& chosen = to_low < to_high || (to_low == to_high && low.code % 2 == 0) ? low : high;
  return chosen.value;
}

TEST(FloatConversionTest, EveryCodeDecodesByTheFormula) {
  for (const Format& format : kFormats) {
    for (uint32_t code = 0; code < 1u << format.bits; ++code) {
      const double expected = FormulaValue(format, code);
      const double actual = format.decode(code);
      if (!std::isnan(expected)) {
        EXPECT_TRUE(SameBits(actual, expected)) << format.name << " " << code << ": " << actual;
        continue;
      }
      const bool mantissa_zero = (code & ((1u << format.mantissa_bits) - 1)) == 0;
      if (format.has_infinity && mantissa_zero) {
        EXPECT_EQ(actual, (code >> (format.bits - 1)) != 0 ? -kInf : kInf) << format.name << " " << code;
      } else {
        EXPECT_TRUE(std::isnan(actual)) << format.name << " " << code;
      }
    }
  }
}

TEST(FloatConversionTest, EveryCodeRoundTrips) {
  for (const Format& format : kFormats) {
    for (Overflow overflow : {Overflow::kSaturate, Overflow::kNonFinite}) {
      if (!FitsOverflow(format, overflow)) continue;
      for (uint32_t code = 0; code < 1u << format.bits; ++code) {
        const double value = format.decode(code);
        if (std::isinf(value) && overflow == Overflow::kSaturate) continue;
        uint32_t expected = code;
        // Signalling NaNs become quiet.
        if (std::isnan(value) && format.has_infinity) expected |= 1u << (format.mantissa_bits - 1);
        EXPECT_EQ(format.encode(value, overflow), expected) << format.name << " " << code;
      }
    }
  }
}

TEST(FloatConversionTest, RoundsToNearestEvenAroundEveryMidpoint) {
  for (const Format& format : kFormats) {
    const std::vector<Entry> sorted = SortedValues(format);
    EXPECT_EQ(sorted.back().value, format.max) << format.name;
    for (Overflow overflow : {Overflow::kSaturate, Overflow::kNonFinite}) {
      if (!FitsOverflow(format, overflow)) continue;
      for (size_t i = 1; i < sorted.size(); ++i) {
        const Entry& low = sorted[i - 1];
        const Entry& high = sorted[i];
        // Exact: neighbours have few bits.
        const double middle = low.value + (high.value - low.value) / 2;
        const double even = low.code % 2 == 0 ? low.value : high.value;
        EXPECT_EQ(format.decode(format.encode(middle, overflow)), even) << format.name << " " << middle;
        EXPECT_EQ(format.decode(format.encode(std::nextafter(middle, -kInf), overflow)), low.value) << format.name;
        EXPECT_EQ(format.decode(format.encode(std::nextafter(middle, kInf), overflow)), high.value) << format.name;
      }
    }
  }
}

TEST(FloatConversionTest, RandomValuesMatchTheSearch) {
  constexpr uint64_t kSeed = 20260101;
  SCOPED_TRACE(kSeed);
  std::mt19937_64 random(kSeed);
  for (const Format& format : kFormats) {
    const std::vector<Entry> sorted = SortedValues(format);
    std::uniform_int_distribution<int> exponent(-format.bias - format.mantissa_bits - 3,
                                                (1 << format.exponent_bits) - format.bias + 1);
    std::uniform_real_distribution<double> fraction(1.0, 2.0);
    for (int i = 0; i < 20000; ++i) {
      const double value = std::ldexp(fraction(random), exponent(random)) * (random() % 2 == 0 ? 1 : -1);
      for (Overflow overflow : {Overflow::kSaturate, Overflow::kNonFinite}) {
        if (!FitsOverflow(format, overflow)) continue;
        const double expected = NearestBySearch(format, sorted, value, overflow);
        const double actual = format.decode(format.encode(value, overflow));
        EXPECT_TRUE(actual == expected || (std::isnan(actual) && std::isnan(expected)))
            << format.name << " " << value << ": " << actual << " instead of " << expected;
        if (actual != 0 && !std::isnan(actual)) {
          EXPECT_EQ(std::signbit(actual), std::signbit(value)) << format.name;
        }
      }
    }
  }
}

TEST(FloatConversionTest, OverflowFollowsTheRule) {
  for (const Format& format : kFormats) {
    const std::vector<Entry> sorted = SortedValues(format);
    const double step = format.max - sorted[sorted.size() - 2].value;
    for (Overflow overflow : {Overflow::kSaturate, Overflow::kNonFinite}) {
      if (!FitsOverflow(format, overflow)) continue;
      for (const double value : {format.max + step / 2, format.max + step, format.max * 1e5, 0x1p1000, kInf,
                                 std::numeric_limits<double>::max()}) {
        for (const double sign : {1.0, -1.0}) {
          const double expected = NearestBySearch(format, sorted, sign * value, overflow);
          const double actual = format.decode(format.encode(sign * value, overflow));
          EXPECT_TRUE(actual == expected || (std::isnan(actual) && std::isnan(expected)))
              << format.name << " " << sign * value << ": " << actual;
        }
      }
      const double below = std::nextafter(format.max + step / 2, 0.0);
      EXPECT_EQ(format.decode(format.encode(below, overflow)), format.max) << format.name;
    }
  }
}

TEST(FloatConversionTest, ZerosTinyNumbersAndNan) {
  for (const Format& format : kFormats) {
    const uint32_t sign_bit = 1u << (format.bits - 1);
    for (const double tiny : {0.0, std::numeric_limits<double>::denorm_min(), std::numeric_limits<double>::min()}) {
      EXPECT_EQ(format.encode(tiny, Overflow::kSaturate), 0u) << format.name;
      EXPECT_EQ(format.encode(-tiny, Overflow::kSaturate), format.has_minus_zero ? sign_bit : 0u) << format.name;
    }
    for (const double nan : {kNan, -kNan}) {
      const double back = format.decode(format.encode(nan, Overflow::kSaturate));
      if (format.has_nan) {
        EXPECT_TRUE(std::isnan(back)) << format.name;
      } else {
        EXPECT_TRUE(SameBits(back, -0.0)) << format.name;
      }
      if (format.has_nan && format.has_minus_zero) {
        EXPECT_EQ(std::signbit(back), std::signbit(nan)) << format.name;
      }
    }
  }
}

// The inputs and codes of ONNX's node tests of Cast from FLOAT.
TEST(FloatConversionTest, MatchesCastOfOnnx) {
  const double inputs[] = {0.47892547, 0.48033667, 0.49968487, 0.81910545, 0.47031248, 0.7229038, 1000000, 1e-7,
                           kNan,       kInf,       kInf,       -kInf,      -1e-7,      1e-7,      -1000000};
  const uint8_t saturated[][15] = {{0x2f, 0x2f, 0x30, 0x35, 0x2f, 0x34, 0x7e, 0, 0x7f, 0x7e, 0x7e, 0xfe, 0x80, 0, 0xfe},
                                   {0x37, 0x37, 0x38, 0x3d, 0x37, 0x3c, 0x7f, 0, 0x80, 0x7f, 0x7f, 0xff, 0, 0, 0xff},
                                   {0x38, 0x38, 0x38, 0x3b, 0x38, 0x3a, 0x7b, 0, 0x7e, 0x7b, 0x7b, 0xfb, 0x80, 0, 0xfb},
                                   {0x3c, 0x3c, 0x3c, 0x3f, 0x3c, 0x3e, 0x7f, 0, 0x80, 0x7f, 0x7f, 0xff, 0, 0, 0xff}};
  const uint8_t non_finite[][15] = {
      {0x2f, 0x2f, 0x30, 0x35, 0x2f, 0x34, 0x7f, 0, 0x7f, 0x7f, 0x7f, 0xff, 0x80, 0, 0xff},
      {0x37, 0x37, 0x38, 0x3d, 0x37, 0x3c, 0x80, 0, 0x80, 0x80, 0x80, 0x80, 0, 0, 0x80},
      {0x38, 0x38, 0x38, 0x3b, 0x38, 0x3a, 0x7c, 0, 0x7e, 0x7c, 0x7c, 0xfc, 0x80, 0, 0xfc},
      {0x3c, 0x3c, 0x3c, 0x3f, 0x3c, 0x3e, 0x80, 0, 0x80, 0x80, 0x80, 0x80, 0, 0, 0x80}};
  for (int format = 0; format < 4; ++format) {
    for (int i = 0; i < 15; ++i) {
      const double value = static_cast<double>(static_cast<float>(inputs[i]));
      EXPECT_EQ(kFormats[2 + format].encode(value, Overflow::kSaturate), saturated[format][i])
          << kFormats[2 + format].name << " " << value;
      EXPECT_EQ(kFormats[2 + format].encode(value, Overflow::kNonFinite), non_finite[format][i])
          << kFormats[2 + format].name << " " << value;
    }
  }
  const double nibble_inputs[] = {0.48, 0.25, 1.05, -3.5, -8, 9, 1e6, 1e-7, kNan, kInf, -kInf, -4, 0.01, -0.0};
  const uint8_t nibbles[] = {1, 0, 2, 0xe, 0xf, 7, 7, 0, 8, 7, 0xf, 0xe, 0, 8};
  for (size_t i = 0; i < std::size(nibbles); ++i) EXPECT_EQ(EncodeF4E2M1(nibble_inputs[i]), nibbles[i]) << i;
}

TEST(FloatConversionTest, NarrowsADoubleOnce) {
  // Just above the middle between 1 and the next f16; a detour over float would land on the middle and round to even.
  const double value = 1 + 0x1p-11 + 0x1p-40;
  EXPECT_EQ(DecodeF16(EncodeF16(value)), 1 + 0x1p-10);
  EXPECT_EQ(static_cast<float>(Float16(static_cast<float>(value))), 1.0f);
}

TEST(FloatConversionTest, F8E8M0RoundTripsAndDecodes) {
  for (int code = 0; code < 255; ++code) {
    const double value = DecodeF8E8M0(static_cast<uint8_t>(code));
    EXPECT_EQ(std::log2(value), code - 127);
    for (PowerOfTwoRounding rounding :
         {PowerOfTwoRounding::kUp, PowerOfTwoRounding::kDown, PowerOfTwoRounding::kNearest}) {
      for (Overflow overflow : {Overflow::kSaturate, Overflow::kNonFinite}) {
        EXPECT_EQ(EncodeF8E8M0(value, overflow, rounding), code);
        EXPECT_EQ(EncodeF8E8M0(-value, overflow, rounding), code);
      }
    }
  }
  EXPECT_TRUE(std::isnan(DecodeF8E8M0(0xFF)));
}

TEST(FloatConversionTest, F8E8M0RoundsAsAsked) {
  const auto encode = [](double value, PowerOfTwoRounding rounding) {
    return DecodeF8E8M0(EncodeF8E8M0(value, Overflow::kSaturate, rounding));
  };
  for (const double unit : {0x1p-127, 0x1p-126, 1.0, 0x1p100, 0x1p126}) {
    const double above = std::nextafter(unit, kInf);
    EXPECT_EQ(encode(above, PowerOfTwoRounding::kUp), 2 * unit);
    EXPECT_EQ(encode(2 * unit, PowerOfTwoRounding::kUp), 2 * unit);
    EXPECT_EQ(encode(std::nextafter(2 * unit, 0), PowerOfTwoRounding::kDown), unit);
    EXPECT_EQ(encode(1.5 * unit, PowerOfTwoRounding::kNearest), 2 * unit);
    EXPECT_EQ(encode(std::nextafter(1.5 * unit, 0), PowerOfTwoRounding::kNearest), unit);
  }
}

TEST(FloatConversionTest, F8E8M0Extremes) {
  for (PowerOfTwoRounding rounding :
       {PowerOfTwoRounding::kUp, PowerOfTwoRounding::kDown, PowerOfTwoRounding::kNearest}) {
    for (Overflow overflow : {Overflow::kSaturate, Overflow::kNonFinite}) {
      EXPECT_EQ(EncodeF8E8M0(0.0, overflow, rounding), 0);
      EXPECT_EQ(EncodeF8E8M0(-0.0, overflow, rounding), 0);
      EXPECT_EQ(EncodeF8E8M0(0x1p-140, overflow, rounding), 0);
      EXPECT_EQ(EncodeF8E8M0(std::numeric_limits<double>::denorm_min(), overflow, rounding), 0);
      EXPECT_EQ(EncodeF8E8M0(kInf, overflow, rounding), 0xFF);
      EXPECT_EQ(EncodeF8E8M0(kNan, overflow, rounding), 0xFF);
    }
    EXPECT_EQ(EncodeF8E8M0(0x1p128, Overflow::kSaturate, rounding), 0xFE);
    EXPECT_EQ(EncodeF8E8M0(0x1p128, Overflow::kNonFinite, rounding), 0xFF);
  }
  EXPECT_EQ(EncodeF8E8M0(0x1.8p127, Overflow::kNonFinite, PowerOfTwoRounding::kUp), 0xFF);
  EXPECT_EQ(EncodeF8E8M0(0x1.8p127, Overflow::kNonFinite, PowerOfTwoRounding::kDown), 0xFE);
  EXPECT_EQ(EncodeF8E8M0(0x1.8p127, Overflow::kSaturate, PowerOfTwoRounding::kUp), 0xFE);
}

TEST(FloatConversionTest, ValueTypesHoldCodes) {
  EXPECT_EQ(Float16(1.5f).bits, 0x3E00);
  EXPECT_EQ(static_cast<float>(Float16::FromBits(0xC000)), -2.0f);
  EXPECT_EQ(Float16().bits, 0);
  EXPECT_EQ(BFloat16(1.5f).bits, 0x3FC0);
  EXPECT_EQ(static_cast<float>(BFloat16::FromBits(0xC000)), -2.0f);
  EXPECT_EQ(BFloat16().bits, 0);
}

__attribute__((target("f16c"))) uint16_t HardwareEncodeF16(float value) {
  return static_cast<uint16_t>(_cvtss_sh(value, _MM_FROUND_TO_NEAREST_INT));
}
__attribute__((target("f16c"))) float HardwareDecodeF16(uint16_t bits) { return _cvtsh_ss(bits); }

bool HasF16c() {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  // AVX support includes that of the operating system for the registers F16C works on.
  return __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx & bit_F16C) != 0 && __builtin_cpu_supports("avx");
}

TEST(FloatConversionTest, F16MatchesTheHardware) {
  if (!HasF16c()) GTEST_SKIP() << "the machine has no F16C";
  for (uint32_t code = 0; code < 0x10000; ++code) {
    const float expected = HardwareDecodeF16(static_cast<uint16_t>(code));
    const float actual = static_cast<float>(DecodeF16(static_cast<uint16_t>(code)));
    ASSERT_EQ(absl::bit_cast<uint32_t>(actual), absl::bit_cast<uint32_t>(expected)) << code;
  }
  // A stride that is coprime to 2^32 visits every exponent and sign with varied mantissas, NaNs included.
  uint32_t bits = 0;
  for (int i = 0; i < 4000000; ++i, bits += 2654435761u) {
    const float value = absl::bit_cast<float>(bits);
    ASSERT_EQ(EncodeF16(static_cast<double>(value)), HardwareEncodeF16(value)) << bits;
  }
}

}  // namespace
}  // namespace burin
