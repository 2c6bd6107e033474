#include "ir/tolerance.h"

#include <cmath>

#include "base/element_type.h"

namespace burin::ir {

Tolerance ToleranceFor(ToleranceClass tolerance_class, ElementType type) {
  const int digits = SignificandDigits(type);
  if (digits == 0) return Tolerance{};
  const double unit = std::ldexp(1.0, -digits);  // The largest relative error of one rounding.
  // Types below f32 are computed in f32 or better and rounded once, so that this rounding is nearly all of the error.
  const bool narrow = digits < 24;
  switch (tolerance_class) {
    case ToleranceClass::kExact:
      return Tolerance{};
    case ToleranceClass::kRounded:
      return Tolerance{1, 0};
    case ToleranceClass::kTranscendental:
      // Near a zero of the function an ulp shrinks with the result while the argument's error does not: two units of
      // the largest output cover that.
      return narrow ? Tolerance{1, unit} : Tolerance{4, 2 * unit};
    case ToleranceClass::kAccumulated:
      // The error of a sum of n products in any order grows as sqrt(n) units of the sum of magnitudes, which itself is
      // up to sqrt(n) times the result; 128 units of the largest output hold for blocked sums of some 10^4 terms.
      return narrow ? Tolerance{1, 2 * unit} : Tolerance{4, 128 * unit};
  }
  return Tolerance{};
}

}  // namespace burin::ir
