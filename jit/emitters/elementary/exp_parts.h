// Emits the parts of e^x: a power of two and a factor near 1.
//
// Use it inside the emitters of functions of e^x that do more with the parts than to multiply them, which EmitExp()
// (jit/emitters/elementary/exp.h) does. Emits to the vocabulary's assembler; see jit/emitters/vec.h for errors and
// threads.
#ifndef BURIN_JIT_EMITTERS_ELEMENTARY_EXP_PARTS_H_
#define BURIN_JIT_EMITTERS_ELEMENTARY_EXP_PARTS_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Replaces x by r and sets n such that x = n log 2 + r and |r| < 0.347, where |x| < 150; n is an integral float. NaN
// and -0 stay. Where |x| is more, infinities included, |n| > 200, n has the sign of x, and r is any number or NaN. Uses
// no register.
//
// Method: n = round(x / log 2), r = x - n log 2 with log 2 in two parts, of which n times the first is exact (W. J.
// Cody and W. Waite, Software Manual for the Elementary Functions, 1980).
template <class V>
void EmitReduceExponent(V& v, const VecGroup& x, const VecGroup& n);

// Does the same for factor x, whose rounding does not show in r: sets r and n, and leaves x. The factor's product with
// 1 / log 2 is a normal number.
template <class V>
void EmitReduceExponent(V& v, const VecGroup& r, const VecGroup& n, const VecGroup& x, float factor);

// Sets p to e^r, at most 1 ulp off, where |r| < 0.347; NaN stays. p is not r. Uses no register.
//
// Method: e^r = 1 + r + r^2 P(r), P of degree 4 from jit/emitters/fit_coefficients.py.
template <class V>
void EmitExpOfRemainder(V& v, const VecGroup& p, const VecGroup& r);

// Sets x to p 2^n with one rounding: to a denormal, zero or infinity where that is so. |n| < 250, and p 2^(n / 2), n /
// 2 rounded down, is a normal number like p, or n is 0 or 1, or p is NaN. Changes p and n, which may be x. Uses no
// register with VecAvx512, 1 with VecAvx2. Where p is a positive number VecAvx512 takes any n, infinities and NaN too.
template <class V>
void EmitScaleByPowerOfTwo(V& v, const VecGroup& x, const VecGroup& p, const VecGroup& n);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ELEMENTARY_EXP_PARTS_H_
