// Describes small IEEE-like binary float formats and converts them to and from double.
//
// The mechanism behind base/float_conversion.h, whose named functions are what other code calls. Stateless, hence
// thread-safe.
#ifndef BURIN_BASE_FLOAT_FORMAT_H_
#define BURIN_BASE_FLOAT_FORMAT_H_

#include <cstdint>

#include "absl/base/casts.h"

namespace burin {
namespace internal {

// Says which codes of a format are not finite numbers.
enum class NonFinite : uint8_t {
  kIeee,          // The top exponent: mantissa 0 is infinity, the rest NaN.
  kTopCodeNan,    // Sign aside, the code of all ones is NaN; no infinity (the FN formats).
  kMinusZeroNan,  // The code of minus zero is the only NaN; no infinity, no minus zero (the FNUZ formats).
  kNone,          // Every code is a finite number.
};

// Describes a format: a sign bit, then `exponent_bits`, then `mantissa_bits` with an implicit leading one. The value of
// a code with exponent field e > 0 and mantissa m is 2^(e - bias) * (1 + m / 2^mantissa_bits); with e = 0 it is 2^(1 -
// bias) * m / 2^mantissa_bits.
struct FloatFormat {
  int exponent_bits;
  int mantissa_bits;
  int bias;
  NonFinite non_finite;

  constexpr uint32_t SignBit() const { return 1u << (exponent_bits + mantissa_bits); }
  constexpr uint32_t ExponentMask() const { return SignBit() - (1u << mantissa_bits); }
  // Returns the code of the largest finite number.
  constexpr uint32_t MaxFinite() const {
    if (non_finite == NonFinite::kIeee) return ExponentMask() - 1;
    if (non_finite == NonFinite::kTopCodeNan) return SignBit() - 2;
    return SignBit() - 1;
  }
};

inline constexpr int kDoubleMantissaBits = 52;
inline constexpr int kDoubleBias = 1023;
inline constexpr uint64_t kDoubleMantissaMask = (uint64_t{1} << kDoubleMantissaBits) - 1;
inline constexpr uint64_t kDoubleQuietNan = uint64_t{0x7FF8} << 48;

// Returns x / 2^shift rounded to the nearest integer, ties to even. shift in [1, 63], x < 2^63.
constexpr uint64_t ShiftRightNearestEven(uint64_t x, int shift) {
  const uint64_t half = uint64_t{1} << (shift - 1);
  const uint64_t odd = (x >> shift) & 1;
  return (x + (half - 1) + odd) >> shift;
}

// Returns the NaN code for a NaN double with these bits: quiet, of the same sign and leading payload bits where the
// format has room for them.
template <const FloatFormat& kFormat>
constexpr uint32_t EncodeNan(uint64_t double_bits) {
  constexpr uint32_t kQuiet = 1u << (kFormat.mantissa_bits - 1);
  const uint32_t sign = (double_bits >> 63) != 0 ? kFormat.SignBit() : 0;
  switch (kFormat.non_finite) {
    case NonFinite::kIeee:
      return sign | kFormat.ExponentMask() | kQuiet |
             static_cast<uint32_t>((double_bits & kDoubleMantissaMask) >>
                                   (kDoubleMantissaBits - kFormat.mantissa_bits));
    case NonFinite::kTopCodeNan:
      return sign | (kFormat.SignBit() - 1);
    case NonFinite::kMinusZeroNan:
      return kFormat.SignBit();
    case NonFinite::kNone:
      break;
  }
  return kFormat.SignBit();
}

// Returns the code of the double with these bits, rounded once to nearest, ties to even. What rounds past the largest
// finite number, infinities included, becomes that number when `saturate`, else infinity or, in formats without one,
// NaN. NaN becomes NaN, or minus zero in a format without NaN.
template <const FloatFormat& kFormat>
inline uint32_t EncodeFloat(uint64_t double_bits, bool saturate) {
  constexpr int kMantissaBits = kFormat.mantissa_bits;
  const uint32_t sign = (double_bits >> 63) != 0 ? kFormat.SignBit() : 0;
  const int exponent_field = static_cast<int>(double_bits >> kDoubleMantissaBits) & 0x7FF;
  const uint64_t mantissa = double_bits & kDoubleMantissaMask;
  if (exponent_field == 0x7FF && mantissa != 0) return EncodeNan<kFormat>(double_bits);

  // Rounding a normal number carries into the exponent field by itself, since codes of one sign are ordered like their
  // values; so the magnitude is rounded as one integer in units of the target's last place.
  uint32_t magnitude = 0;
  const int target_exponent = exponent_field - kDoubleBias + kFormat.bias;
  const int drop = kDoubleMantissaBits - kMantissaBits;
  if (exponent_field == 0x7FF || target_exponent >= (1 << kFormat.exponent_bits)) {
    magnitude = kFormat.MaxFinite() + 1;
  } else if (target_exponent > 0) {
    const uint64_t wide = (static_cast<uint64_t>(target_exponent) << kDoubleMantissaBits) | mantissa;
    magnitude = static_cast<uint32_t>(ShiftRightNearestEven(wide, drop));
  } else if (1 - target_exponent + drop <= kDoubleMantissaBits + 1) {
    // Subnormal in the target, hence normal as a double: all bias differences are far above the double's own range.
    const uint64_t significand = (uint64_t{1} << kDoubleMantissaBits) | mantissa;
    magnitude = static_cast<uint32_t>(ShiftRightNearestEven(significand, 1 - target_exponent + drop));
  }

  if (magnitude > kFormat.MaxFinite()) {
    if (saturate || kFormat.non_finite == NonFinite::kNone) return sign | kFormat.MaxFinite();
    if (kFormat.non_finite == NonFinite::kIeee) return sign | kFormat.ExponentMask();
    return EncodeNan<kFormat>(double_bits);
  }
  if (kFormat.non_finite == NonFinite::kMinusZeroNan && magnitude == 0) return 0;
  return sign | magnitude;
}

// Returns the value of `code` exactly. A NaN becomes a quiet NaN with the sign and payload of the code, in
// kMinusZeroNan formats a positive one.
template <const FloatFormat& kFormat>
inline double DecodeFloat(uint32_t code) {
  constexpr int kMantissaBits = kFormat.mantissa_bits;
  constexpr uint32_t kMantissaMask = (1u << kMantissaBits) - 1;
  const uint32_t magnitude = code & (kFormat.SignBit() - 1);
  const uint64_t sign = (code & kFormat.SignBit()) != 0 ? uint64_t{1} << 63 : 0;
  const uint64_t wide_mantissa = static_cast<uint64_t>(magnitude & kMantissaMask)
                                 << (kDoubleMantissaBits - kMantissaBits);
  if (kFormat.non_finite == NonFinite::kMinusZeroNan && code == kFormat.SignBit()) {
    return absl::bit_cast<double>(kDoubleQuietNan);
  }
  if (kFormat.non_finite != NonFinite::kMinusZeroNan && magnitude > kFormat.MaxFinite()) {
    const bool infinite = kFormat.non_finite == NonFinite::kIeee && wide_mantissa == 0;
    if (infinite) return absl::bit_cast<double>(sign | (uint64_t{0x7FF} << kDoubleMantissaBits));
    return absl::bit_cast<double>(sign | kDoubleQuietNan | wide_mantissa);
  }
  const int exponent_field = static_cast<int>(magnitude >> kMantissaBits);
  if (exponent_field == 0) {
    // m * 2^(1 - bias - mantissa_bits): an integer times a power of two that is a normal double, so exact.
    const uint64_t unit = static_cast<uint64_t>(1 - kFormat.bias - kMantissaBits + kDoubleBias) << kDoubleMantissaBits;
    const double value = static_cast<double>(magnitude) * absl::bit_cast<double>(unit);
    return absl::bit_cast<double>(sign | absl::bit_cast<uint64_t>(value));
  }
  const uint64_t double_exponent = static_cast<uint64_t>(exponent_field - kFormat.bias + kDoubleBias);
  return absl::bit_cast<double>(sign | (double_exponent << kDoubleMantissaBits) | wide_mantissa);
}

}  // namespace internal
}  // namespace burin

#endif  // BURIN_BASE_FLOAT_FORMAT_H_
