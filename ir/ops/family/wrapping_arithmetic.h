// Arithmetic of tensor elements, one template for float and integer elements: integers wrap modulo 2^64, never trap.
//
// The reference evaluations of element-wise operations compute with these: T is double, int64_t, or uint64_t for u64;
// storing to a narrower integer type then wraps to its width. What OpenVINO leaves undefined is defined here: dividing
// an integer by zero gives 0, and so does its remainder. Not for kernels. Stateless, hence thread-safe.
#ifndef BURIN_IR_OPS_FAMILY_WRAPPING_ARITHMETIC_H_
#define BURIN_IR_OPS_FAMILY_WRAPPING_ARITHMETIC_H_

#include <cmath>
#include <cstdint>
#include <type_traits>

namespace burin::ir {

// Return a + b, a - b and a * b.
template <class T>
T WrapAdd(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) return a + b;
  return static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
template <class T>
T WrapSubtract(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) return a - b;
  return static_cast<T>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
}
template <class T>
T WrapMultiply(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) return a * b;
  return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

// Returns a / b; integers truncate towards zero, and x / 0 = 0.
template <class T>
T TruncateDivide(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) return a / b;
  if (b == 0) return 0;
  if constexpr (std::is_signed_v<T>) {
    if (b == -1) return WrapSubtract<T>(0, a);  // The most negative number has no negation: the CPU would trap.
  }
  return a / b;
}

// Returns a / b; integers round down, and x / 0 = 0.
template <class T>
T FloorDivide(T a, T b) {
  const T quotient = TruncateDivide(a, b);
  if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
    if (b != 0 && b != -1 && a % b != 0 && (a < 0) != (b < 0)) return quotient - 1;
  }
  return quotient;
}

// Returns the remainder of the division that truncates: it has the sign of `a`. Integers: x mod 0 = 0.
template <class T>
T TruncateModulo(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::fmod(a, b);
  } else {
    if (b == 0) return 0;
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return 0;
    }
    return a % b;
  }
}

// Returns the remainder of the division that rounds down: it has the sign of `b`. Integers: x mod 0 = 0.
template <class T>
T FloorModulo(T a, T b) {
  const T remainder = TruncateModulo(a, b);
  if constexpr (std::is_signed_v<T>) {
    if (remainder != 0 && (remainder < 0) != (b < 0)) return remainder + b;
  }
  return remainder;
}

// Returns a to the power of b. Integers: the exact power modulo 2^64; a negative exponent gives the power truncated
// towards zero (1 and -1 have one; all other bases, 0 included, give 0).
template <class T>
T Power(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::pow(a, b);
  } else {
    if constexpr (std::is_signed_v<T>) {
      if (b < 0) {
        if (a == 1) return 1;
        if (a == -1) return b % 2 == 0 ? 1 : -1;
        return 0;
      }
    }
    uint64_t result = 1;
    uint64_t square = static_cast<uint64_t>(a);
    for (uint64_t exponent = static_cast<uint64_t>(b); exponent != 0; exponent >>= 1) {
      if ((exponent & 1) != 0) result *= square;
      square *= square;
    }
    return static_cast<T>(result);
  }
}

// Return the larger and the smaller one; NaN if either is NaN. Which zero of 0 and -0 comes back is not specified.
template <class T>
T Larger(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(a)) return a;
    if (std::isnan(b)) return b;
  }
  return a > b ? a : b;
}
template <class T>
T Smaller(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(a)) return a;
    if (std::isnan(b)) return b;
  }
  return a < b ? a : b;
}

}  // namespace burin::ir

#endif  // BURIN_IR_OPS_FAMILY_WRAPPING_ARITHMETIC_H_
