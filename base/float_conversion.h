// Converts between double and the small float formats, exactly.
//
// Use it for reference evaluation, constants, printing and tests; kernels convert with vector instructions. Decoding is
// exact: every value of every format here is a double. Encoding takes a double and rounds once, to nearest, ties to
// even (IEEE 754), so a float or an integer up to 2^53 may be passed without double rounding; for float results of a
// double use static_cast. Stateless, hence thread-safe.
//
// Sources: IEEE 754-2019 binary16; bfloat16 is the upper half of binary32; OCP 8-bit Floating Point (E4M3FN, E5M2);
// arXiv 2206.02915 (the FNUZ formats); OCP Microscaling Formats (E8M0, E2M1). Overflow rules are those of ONNX Cast.
#ifndef BURIN_BASE_FLOAT_CONVERSION_H_
#define BURIN_BASE_FLOAT_CONVERSION_H_

#include <cstdint>

#include "absl/base/casts.h"
#include "base/float_format.h"

namespace burin {

// Says what a value becomes that rounds past the largest finite number of a format (infinities included).
enum class Overflow : uint8_t {
  kSaturate,   // The largest finite number, with the sign of the value.
  kNonFinite,  // Infinity where the format has it, else NaN.
};

// Says how a value between two powers of two becomes an f8e8m0.
enum class PowerOfTwoRounding : uint8_t {
  kUp,       // To the larger one. The default of ONNX.
  kDown,     // To the smaller one.
  kNearest,  // To the nearer one; from the middle, 1.5 * 2^k, to the larger one.
};

namespace internal {
inline constexpr FloatFormat kF16Format = {5, 10, 15, NonFinite::kIeee};
inline constexpr FloatFormat kBF16Format = {8, 7, 127, NonFinite::kIeee};
inline constexpr FloatFormat kF8E4M3FNFormat = {4, 3, 7, NonFinite::kTopCodeNan};
inline constexpr FloatFormat kF8E4M3FNUZFormat = {4, 3, 8, NonFinite::kMinusZeroNan};
inline constexpr FloatFormat kF8E5M2Format = {5, 2, 15, NonFinite::kIeee};
inline constexpr FloatFormat kF8E5M2FNUZFormat = {5, 2, 16, NonFinite::kMinusZeroNan};
inline constexpr FloatFormat kF4E2M1Format = {2, 1, 1, NonFinite::kNone};

template <const FloatFormat& kFormat>
inline uint32_t Encode(double value, Overflow overflow) {
  return EncodeFloat<kFormat>(absl::bit_cast<uint64_t>(value), overflow == Overflow::kSaturate);
}
}  // namespace internal

// Returns the binary16 code of `value`; overflow gives infinity. A NaN stays NaN: quiet, with its sign and the leading
// bits of its payload.
inline uint16_t EncodeF16(double value) {
  return static_cast<uint16_t>(internal::Encode<internal::kF16Format>(value, Overflow::kNonFinite));
}
// Returns the value of a binary16 code. Signalling NaNs become quiet.
inline double DecodeF16(uint16_t bits) { return internal::DecodeFloat<internal::kF16Format>(bits); }

// Return the same for bfloat16.
inline uint16_t EncodeBF16(double value) {
  return static_cast<uint16_t>(internal::Encode<internal::kBF16Format>(value, Overflow::kNonFinite));
}
inline double DecodeBF16(uint16_t bits) { return internal::DecodeFloat<internal::kBF16Format>(bits); }

// Return the code of `value`, or the value of a code: 1 sign, 4 exponent (bias 7), 3 mantissa bits; NaN is S.1111.111,
// there is no infinity, the largest number is 448.
inline uint8_t EncodeF8E4M3FN(double value, Overflow overflow) {
  return static_cast<uint8_t>(internal::Encode<internal::kF8E4M3FNFormat>(value, overflow));
}
inline double DecodeF8E4M3FN(uint8_t bits) { return internal::DecodeFloat<internal::kF8E4M3FNFormat>(bits); }

// Return the same with bias 8; 0x80 is the only NaN, there is neither infinity nor minus zero, the largest number is
// 240.
inline uint8_t EncodeF8E4M3FNUZ(double value, Overflow overflow) {
  return static_cast<uint8_t>(internal::Encode<internal::kF8E4M3FNUZFormat>(value, overflow));
}
inline double DecodeF8E4M3FNUZ(uint8_t bits) { return internal::DecodeFloat<internal::kF8E4M3FNUZFormat>(bits); }

// Return the same with 5 exponent bits (bias 15) and 2 mantissa bits; infinity and NaN as in IEEE 754, the largest
// number is 57344.
inline uint8_t EncodeF8E5M2(double value, Overflow overflow) {
  return static_cast<uint8_t>(internal::Encode<internal::kF8E5M2Format>(value, overflow));
}
inline double DecodeF8E5M2(uint8_t bits) { return internal::DecodeFloat<internal::kF8E5M2Format>(bits); }

// Return the same with bias 16; 0x80 is the only NaN, there is neither infinity nor minus zero, the largest number is
// 57344.
inline uint8_t EncodeF8E5M2FNUZ(double value, Overflow overflow) {
  return static_cast<uint8_t>(internal::Encode<internal::kF8E5M2FNUZFormat>(value, overflow));
}
inline double DecodeF8E5M2FNUZ(uint8_t bits) { return internal::DecodeFloat<internal::kF8E5M2FNUZFormat>(bits); }

// Returns the code of |value|, a power of two 2^(code - 127): the sign is dropped, as ONNX does. Zero and what lies
// below 2^-127 give 2^-127, the smallest number. What rounds past 2^127 follows `overflow`. Infinities and NaN give NaN
// (0xFF).
uint8_t EncodeF8E8M0(double value, Overflow overflow, PowerOfTwoRounding rounding);
// Returns 2^(bits - 127), or NaN for 0xFF.
double DecodeF8E8M0(uint8_t bits);

// Return the code of `value`, in the low 4 bits, or the value of such a code (higher bits are ignored): 1 sign, 2
// exponent (bias 1), 1 mantissa bit; the numbers are 0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives. Overflow and
// infinities saturate; NaN, which the format lacks, gives minus zero (0x8), as in ONNX's test vectors of Cast.
inline uint8_t EncodeF4E2M1(double value) {
  return static_cast<uint8_t>(internal::Encode<internal::kF4E2M1Format>(value, Overflow::kSaturate));
}
inline double DecodeF4E2M1(uint8_t bits) { return internal::DecodeFloat<internal::kF4E2M1Format>(bits & 0xFu); }

// Holds a binary16 number in memory; arithmetic is done in float.
struct Float16 {
  uint16_t bits = 0;

  Float16() = default;
  explicit Float16(float value) : bits(EncodeF16(static_cast<double>(value))) {}
  operator float() const { return static_cast<float>(DecodeF16(bits)); }

  // Returns the number with this code.
  static Float16 FromBits(uint16_t bits) {
    Float16 result;
    result.bits = bits;
    return result;
  }
};

// Holds a bfloat16 number in memory; arithmetic is done in float.
struct BFloat16 {
  uint16_t bits = 0;

  BFloat16() = default;
  explicit BFloat16(float value) : bits(EncodeBF16(static_cast<double>(value))) {}
  operator float() const { return static_cast<float>(DecodeBF16(bits)); }

  // Returns the number with this code.
  static BFloat16 FromBits(uint16_t bits) {
    BFloat16 result;
    result.bits = bits;
    return result;
  }
};

static_assert(sizeof(Float16) == 2 && sizeof(BFloat16) == 2, "tensors of these are arrays of 16-bit codes");

}  // namespace burin

#endif  // BURIN_BASE_FLOAT_CONVERSION_H_
