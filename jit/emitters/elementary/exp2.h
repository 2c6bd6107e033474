// Emits 2^x on vectors of floats.
//
// Use it for powers of two; e^x is jit/emitters/elementary/exp.h. Emits to the vocabulary's assembler; see
// jit/emitters/vec.h for errors and threads.
#ifndef BURIN_JIT_EMITTERS_ELEMENTARY_EXP2_H_
#define BURIN_JIT_EMITTERS_ELEMENTARY_EXP2_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Replaces x by 2^x, at most 1 ulp off, and exact for integers: +inf from 128 on, denormals below -126, 0 from -150 on
// downwards. NaN stays NaN. Uses 2 vector registers with VecAvx512, 3 with VecAvx2.
//
// Method: n = round(x), r = x - n; 2^r = 1 + r P(r), P of degree 5 from jit/emitters/fit_coefficients.py; times 2^n
// with one rounding.
template <class V>
void EmitExp2(V& v, const VecGroup& x);

// Replaces r by 2^(n + r), where |r| <= 1/2 and n is an integral float, |n| < 250; NaN in r gives NaN. Changes n. Uses
// 1 vector register, twice.
template <class V>
void EmitExp2OfParts(V& v, const VecGroup& r, const VecGroup& n);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ELEMENTARY_EXP2_H_
