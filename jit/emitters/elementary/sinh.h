// Emits the hyperbolic sine on vectors of floats.
//
// Use it on registers of the vocabulary's width. Emits to the vocabulary's assembler; see jit/emitters/vec.h for errors
// and threads.
#ifndef BURIN_JIT_EMITTERS_ELEMENTARY_SINH_H_
#define BURIN_JIT_EMITTERS_ELEMENTARY_SINH_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Replaces x by sinh x, at most 2 ulp off, near 0 and among denormals too; infinite where that rounds to infinity, from
// +-89.42 on. NaN stays NaN, zeros keep their sign. Uses 4 vector registers; 1 mask with VecAvx512, 1 vector register
// more with VecAvx2.
//
// Method: sinh x = x + x^3 P(x^2) for |x| up to 1, P of degree 3 from jit/emitters/fit_coefficients.py; beyond that
// h - 1 / (4 h) with h = e^|x| / 2.
template <class V>
void EmitSinh(V& v, const VecGroup& x);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ELEMENTARY_SINH_H_
