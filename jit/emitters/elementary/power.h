// Emits x^y on vectors of floats.
//
// Use it for any base and exponent. Not for constant exponents that a few multiplications, a square root or a division
// replace, which are several times as fast. Emits to the vocabulary's assembler; see jit/emitters/vec.h for errors and
// threads.
#ifndef BURIN_JIT_EMITTERS_ELEMENTARY_POWER_H_
#define BURIN_JIT_EMITTERS_ELEMENTARY_POWER_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Replaces x by x^y, at most 0.6 ulp off, or 1 ulp where that is a denormal; y stays. Special values are those of pow()
// in IEEE 754: 1 where y is 0 or x is 1, even if the other is NaN, and where x is -1 and y infinite; NaN where one is
// NaN else, and where x is negative and finite and y is not an integer; the sign of x where y is an odd integer. Uses 5
// vector registers, and in all 2 and 2 masks with VecAvx512, 4 with VecAvx2.
//
// Method: |x| = 2^k (1 + f) (jit/emitters/elementary/log_parts.h); then in doubles, t = y (k + f P(f)) = n + r with an
// integer n, 2^r = 1 + r Q(r), P and Q of degrees 12 and 5 from jit/emitters/fit_coefficients.py; 2^n in floats.
template <class V>
void EmitPower(V& v, const VecGroup& x, const VecGroup& y);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ELEMENTARY_POWER_H_
