// Emits e^x on vectors of floats.
//
// Use EmitExp() for any x, EmitExpOfNonPositive() inside formulas that make x <= 0. Emits to the vocabulary's
// assembler; see jit/emitters/vec.h for errors and threads.
#ifndef BURIN_JIT_EMITTERS_ELEMENTARY_EXP_H_
#define BURIN_JIT_EMITTERS_ELEMENTARY_EXP_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Replaces x by e^x, at most 1 ulp off: +inf above log(2^128), denormals below log(2^-126), 0 below log(2^-150). NaN
// stays NaN. Uses 2 vector registers with VecAvx512, 3 with VecAvx2.
//
// Method: n = round(x / log 2), r = x - n log 2 with log 2 in two parts, of which n times the first is exact (W. J.
// Cody and W. Waite, Software Manual for the Elementary Functions, 1980); e^r = 1 + r + r^2 P(r), P of degree 4 from
// jit/emitters/fit_coefficients.py; times 2^n with one rounding.
template <class V>
void EmitExp(V& v, const VecGroup& x);

// Does the same where x <= 0 or NaN; for greater x the result is undefined.
template <class V>
void EmitExpOfNonPositive(V& v, const VecGroup& x);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ELEMENTARY_EXP_H_
