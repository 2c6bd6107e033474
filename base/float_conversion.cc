#include "base/float_conversion.h"

#include <cmath>
#include <cstdint>
#include <limits>

namespace burin {
namespace {

constexpr int kE8M0Bias = 127;
constexpr uint8_t kE8M0Max = 0xFE;
constexpr uint8_t kE8M0Nan = 0xFF;

}  // namespace

uint8_t EncodeF8E8M0(double value, Overflow overflow, PowerOfTwoRounding rounding) {
  if (!std::isfinite(value)) return kE8M0Nan;
  if (value == 0) return 0;
  // |value| = fraction * 2^exponent with fraction in [0.5, 1), so 2^(exponent - 1) <= |value| < 2^exponent.
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(value), &exponent);
  bool up = false;
  switch (rounding) {
    case PowerOfTwoRounding::kUp:
      up = fraction > 0.5;
      break;
    case PowerOfTwoRounding::kDown:
      break;
    case PowerOfTwoRounding::kNearest:
      up = fraction >= 0.75;
      break;
  }
  const int code = exponent - (up ? 0 : 1) + kE8M0Bias;
  if (code < 0) return 0;
  if (code > kE8M0Max) return overflow == Overflow::kSaturate ? kE8M0Max : kE8M0Nan;
  return static_cast<uint8_t>(code);
}

double DecodeF8E8M0(uint8_t bits) {
  if (bits == kE8M0Nan) return std::numeric_limits<double>::quiet_NaN();
  return std::ldexp(1.0, static_cast<int>(bits) - kE8M0Bias);
}

}  // namespace burin
