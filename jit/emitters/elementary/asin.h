// Emits the arc sine on vectors of floats.
//
// Use it on registers of the vocabulary's width. Emits to the vocabulary's assembler; see jit/emitters/vec.h for errors
// and threads.
#ifndef BURIN_JIT_EMITTERS_ELEMENTARY_ASIN_H_
#define BURIN_JIT_EMITTERS_ELEMENTARY_ASIN_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Replaces x by asin x, at most 2.5 ulp off, near 0 and among denormals too; NaN beyond +-1. NaN stays NaN, zeros keep
// their sign. Uses 4 vector registers; 1 mask with VecAvx512, 1 vector register more with VecAvx2.
//
// Method: asin s = s + s^3 P(s^2) for s = |x| up to 1/2, P of degree 4 from jit/emitters/fit_coefficients.py; beyond
// that pi / 2 - 2 asin(sqrt((1 - |x|) / 2)).
template <class V>
void EmitAsin(V& v, const VecGroup& x);

// Sets `result` to asin s, where s has any sign, |s| <= 1/2, and `square` is s^2, at most 1 ulp off; or to (1 + f)
// times the same where s is f off but `square` is not. `result` is neither.
template <class V>
void EmitAsinOfSmall(V& v, const VecGroup& result, const VecGroup& s, const VecGroup& square);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ELEMENTARY_ASIN_H_
