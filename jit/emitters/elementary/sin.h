// Emits the sine on vectors of floats.
//
// Use it for angles in radians; for both functions of one angle there is also jit/emitters/elementary/cos.h. Emits to
// the vocabulary's assembler; see jit/emitters/vec.h for errors and threads.
#ifndef BURIN_JIT_EMITTERS_ELEMENTARY_SIN_H_
#define BURIN_JIT_EMITTERS_ELEMENTARY_SIN_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Replaces x by sin x, at most 2.5 ulp off for every float, next to multiples of pi and among denormals too. NaN stays
// NaN, and so become infinities; zeros keep their sign. Where |x| is above 2^18, a few results exceed 1 by an ulp.
// Beyond 2^20 the code takes a branch that is about five times as slow. Uses 3 vector registers, in that branch 2 and
// another 7 in all, with VecAvx2 8; and 1 mask in all with VecAvx512.
//
// Method: jit/emitters/elementary/reduce_angle.h, then sin r = r + r^3 P(r^2), P of degree 3 from
// jit/emitters/fit_coefficients.py.
template <class V>
void EmitSin(V& v, const VecGroup& x);

// Replaces r, which is in the range that jit/emitters/elementary/reduce_angle.h leaves, by (-1)^q sin r, where the sign
// bits of `odd`, whose other bits are zero, tell whether q is odd. Changes `spare`; uses 1 vector register.
template <class V>
void EmitSinOfReduced(V& v, const VecGroup& r, const VecGroup& odd, const VecGroup& spare);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ELEMENTARY_SIN_H_
