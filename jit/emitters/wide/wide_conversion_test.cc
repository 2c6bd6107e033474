#include "jit/emitters/wide/wide_conversion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/casts.h"
#include "absl/types/span.h"
#include "base/float_conversion.h"
#include "jit/emitters/convert/round_float.h"
#include "jit/emitters/vec_group.h"
#include "jit/emitters/wide/wide_function.h"
#include "jit/emitters/wide/wide_testlib.h"

namespace burin::jit {
namespace {

using Inputs = absl::Span<const VecGroup>;
using Tuple = absl::Span<const uint64_t>;

uint64_t FloatBits(float value) { return absl::bit_cast<uint32_t>(value); }
float AsF32(uint64_t bits) { return absl::bit_cast<float>(static_cast<uint32_t>(bits)); }

// Truncates and saturates; NaN as 0.
template <class Integer>
Integer Saturated(double x) {
  if (std::isnan(x)) return 0;
  if (x >= -static_cast<double>(std::numeric_limits<Integer>::min())) return std::numeric_limits<Integer>::max();
  if (x <= static_cast<double>(std::numeric_limits<Integer>::min())) return std::numeric_limits<Integer>::min();
  return static_cast<Integer>(x);
}

// Returns floats: those of the borders of doubles, all powers of two and their neighbours.
std::vector<std::vector<uint64_t>> Floats() {
  std::vector<uint64_t> values;
  for (const uint64_t bits : F64Borders()) values.push_back(FloatBits(static_cast<float>(AsF64(bits))));
  for (uint64_t exponent = 0; exponent < 512; ++exponent) {
    for (const uint64_t mantissa : {0x0, 0x1, 0x400000, 0x7fffff}) values.push_back((exponent << 23) | mantissa);
  }
  return {values};
}

std::vector<std::vector<uint64_t>> Integers() {
  std::vector<uint64_t> values;
  for (const uint64_t bits : I64Borders()) values.push_back(bits & 0xFFFFFFFF);
  return {values};
}

TEST(WideConversionTest, WidensFloats) {
  ExpectWide(
      WideFunction::Of("F32ToF64", {false}, true,
                       [](auto& v, const VecGroup& to, Inputs in) { EmitConvertF32ToF64(v, to, in[0]); }),
      Floats(), [](Tuple in) { return Bits64(AsF32(in[0])); }, WideResult::kF64);
  ExpectWide(WideFunction::Of("F32ToI64", {false}, true,
                              [](auto& v, const VecGroup& to, Inputs in) { EmitConvertF32ToI64(v, to, in[0]); }),
             Floats(), [](Tuple in) { return static_cast<uint64_t>(Saturated<int64_t>(AsF32(in[0]))); });
}

TEST(WideConversionTest, WidensIntegers) {
  ExpectWide(WideFunction::Of("I32ToF64", {false}, true,
                              [](auto& v, const VecGroup& to, Inputs in) { EmitConvertI32ToF64(v, to, in[0]); }),
             Integers(), [](Tuple in) { return Bits64(static_cast<int32_t>(in[0])); });
  ExpectWide(WideFunction::Of("I32ToI64", {false}, true,
                              [](auto& v, const VecGroup& to, Inputs in) { EmitConvertI32ToI64(v, to, in[0]); }),
             Integers(), [](Tuple in) { return static_cast<uint64_t>(int64_t{static_cast<int32_t>(in[0])}); });
}

TEST(WideConversionTest, NarrowsDoubles) {
  ExpectWideF64(
      WideFunction::Of("F64ToF32", {true}, false,
                       [](auto& v, const VecGroup& to, Inputs in) { EmitConvertF64ToF32(v, to, in[0]); }),
      [](Tuple in) { return FloatBits(static_cast<float>(AsF64(in[0]))); }, WideResult::kF32);
  ExpectWideF64(
      WideFunction::Of("F64ToI32", {true}, false,
                       [](auto& v, const VecGroup& to, Inputs in) { EmitConvertF64ToI32(v, to, in[0]); }),
      [](Tuple in) { return static_cast<uint32_t>(Saturated<int32_t>(AsF64(in[0]))); }, WideResult::kBits);
}

TEST(WideConversionTest, NarrowsIntegers) {
  ExpectWideI64(WideFunction::Of("I64ToF32", {true}, false,
                                 [](auto& v, const VecGroup& to, Inputs in) { EmitConvertI64ToF32(v, to, in[0]); }),
                [](Tuple in) { return FloatBits(static_cast<float>(AsI64(in[0]))); });
  ExpectWideI64(WideFunction::Of("I64ToI32", {true}, false,
                                 [](auto& v, const VecGroup& to, Inputs in) { EmitConvertI64ToI32(v, to, in[0]); }),
                [](Tuple in) { return in[0]; });
}

TEST(WideConversionTest, ConvertsWithinEightBytes) {
  ExpectWideF64(
      WideFunction::Of("F64ToI64", {true}, true,
                       [](auto& v, const VecGroup& to, Inputs in) { EmitConvertF64ToI64(v, to, in[0]); }),
      [](Tuple in) { return static_cast<uint64_t>(Saturated<int64_t>(AsF64(in[0]))); }, WideResult::kBits);
  ExpectWideI64(WideFunction::Of("I64ToF64", {true}, true,
                                 [](auto& v, const VecGroup& to, Inputs in) { EmitConvertI64ToF64(v, to, in[0]); }),
                [](Tuple in) { return Bits64(static_cast<double>(AsI64(in[0]))); });
}

// The float of a type of 16 bits that a double, or an integer without its sign, is rounded to once.
uint64_t OnceToF16(double x) { return FloatBits(static_cast<float>(DecodeF16(EncodeF16(x)))); }
uint64_t OnceToBF16(double x) { return FloatBits(static_cast<float>(DecodeBF16(EncodeBF16(x)))); }

// Returns a double that rounds to 16 bits as the integer does.
double ToOdd(int64_t value) {
  const bool negative = value < 0;
  const uint64_t magnitude = negative ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  const uint64_t odd = magnitude >> 53 == 0
                           ? magnitude
                           : (magnitude | ((magnitude & 0x7FF) != 0 ? uint64_t{0x800} : 0)) & ~uint64_t{0x7FF};
  return negative ? -static_cast<double>(odd) : static_cast<double>(odd);
}

TEST(WideConversionTest, RoundsOnceToSixteenBits) {
  ExpectWideF64(
      WideFunction::Of("F64ToF16", {true}, false,
                       [](auto& v, const VecGroup& to, Inputs in) {
                         EmitConvertF64ToF32ForNarrowing(v, to, in[0]);
                         EmitRoundToF16(v, to);
                       }),
      [](Tuple in) { return OnceToF16(AsF64(in[0])); }, WideResult::kF32);
  ExpectWideF64(
      WideFunction::Of("F64ToBF16", {true}, false,
                       [](auto& v, const VecGroup& to, Inputs in) {
                         EmitConvertF64ToF32ForNarrowing(v, to, in[0]);
                         EmitRoundToBF16(v, to);
                       }),
      [](Tuple in) { return OnceToBF16(AsF64(in[0])); }, WideResult::kF32);
  ExpectWideI64(WideFunction::Of("I64ToBF16", {true}, false,
                                 [](auto& v, const VecGroup& to, Inputs in) {
                                   EmitConvertI64ToF32ForNarrowing(v, to, in[0]);
                                   EmitRoundToBF16(v, to);
                                 }),
                [](Tuple in) { return OnceToBF16(ToOdd(AsI64(in[0]))); });
}

}  // namespace
}  // namespace burin::jit
