// Emits the parts of logarithms: the exponent and the mantissa of a number, and the logarithm of the latter.
//
// Use it inside the emitters of functions of log x; log x itself is jit/emitters/elementary/log.h. Emits to the
// vocabulary's assembler; see jit/emitters/vec.h for errors and threads.
#ifndef BURIN_JIT_EMITTERS_ELEMENTARY_LOG_PARTS_H_
#define BURIN_JIT_EMITTERS_ELEMENTARY_LOG_PARTS_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Sets m and k such that x = m 2^k, 3/4 <= m < 3/2, with an integral float k, for positive x, denormals included. For
// other x, m and k are what EmitFinishLog() expects. x stays; changes `spare`. Uses 1 register with VecAvx2.
template <class V>
void EmitSplitForLog(V& v, const VecGroup& m, const VecGroup& k, const VecGroup& x, const VecGroup& spare);

// Completes k where EmitSplitForLog() was given zeros, +infinity or NaN: -infinity, +infinity and NaN, such that k plus
// any function of m is the logarithm. Not for negative x. Uses 1 register with VecAvx2.
template <class V>
void EmitCompleteExponent(V& v, const VecGroup& k, const VecGroup& x);

// Replaces a sum of k log 2 and a function of m by the logarithm's value where x is not a positive finite number:
// -infinity for zeros, NaN below, +infinity and NaN for themselves. Uses 2 registers with VecAvx2.
template <class V>
void EmitFinishLog(V& v, const VecGroup& result, const VecGroup& x);

// Sets `tail` to log(1 + f) - f + f^2 / 2 and `square` to f^2, -1/4 <= f < 1/2; summed from the small to the large,
// they make a logarithm to within 1 ulp. Uses no register.
//
// Method: tail = f^3 P(f), P of degree 8 from jit/emitters/fit_coefficients.py.
template <class V>
void EmitLogTail(V& v, const VecGroup& tail, const VecGroup& square, const VecGroup& f);

// Sets `result` to k log 2 + log(1 + f), -1/4 <= f < 1/2 and k an integral float, |k| < 256, at most 1 ulp off. f is
// not `result`. Uses 1 register.
//
// Method: log 2 in two parts, of which k times the first is exact.
template <class V>
void EmitLogOfParts(V& v, const VecGroup& result, const VecGroup& f, const VecGroup& k);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ELEMENTARY_LOG_PARTS_H_
