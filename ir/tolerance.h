// How far an implementation may be from the reference evaluation.
//
// An op names a class; the bound for an element type follows from it here, so that no test invents its own. Stateless.
#ifndef BURIN_IR_TOLERANCE_H_
#define BURIN_IR_TOLERANCE_H_

#include <cstdint>

#include "base/element_type.h"

namespace burin::ir {

enum class ToleranceClass : uint8_t {
  // Bits equal: data movement, integer arithmetic, comparisons.
  kExact,
  // One rounding of the exact result: + - * / sqrt, conversions. 1 ulp.
  kRounded,
  // Elementary functions (exp, erf, pow, ...): a few ulp.
  kTranscendental,
  // Sums of products in any order: bounded relative to the sum of magnitudes.
  kAccumulated,
};

// The bound |actual - expected| <= max(ulp * ulp_of(expected), relative * scale), where `scale` is the largest
// magnitude of the expected output tensor.
struct Tolerance {
  double ulp = 0;
  double relative = 0;
};

// Returns the bound of `tolerance_class` for outputs of type `type`; integers and boolean are exact in every class but
// kAccumulated and kTranscendental of requantised results, for which ops state their own bound.
Tolerance ToleranceFor(ToleranceClass tolerance_class, ElementType type);

}  // namespace burin::ir

#endif  // BURIN_IR_TOLERANCE_H_
