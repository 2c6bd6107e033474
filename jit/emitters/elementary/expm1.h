// Emits e^x - 1 on vectors of floats.
//
// Use it where x may be near 0 and the result's own size counts, as in Elu. Emits to the vocabulary's assembler; see
// jit/emitters/vec.h for errors and threads.
#ifndef BURIN_JIT_EMITTERS_ELEMENTARY_EXPM1_H_
#define BURIN_JIT_EMITTERS_ELEMENTARY_EXPM1_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Replaces x by e^x - 1, at most 1.5 ulp off, near 0 and among denormals too: +inf above log(2^128), -1 below -17.4.
// NaN stays NaN, zeros keep their sign. Uses 3 vector registers.
//
// Method: x = n log 2 + r (jit/emitters/elementary/exp_parts.h); e^r - 1 = r + r^2 P(r), P of degree 5 from
// jit/emitters/fit_coefficients.py; e^x - 1 = 2^n ((e^r - 1) + (1 - 2^-n)).
template <class V>
void EmitExpm1(V& v, const VecGroup& x);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ELEMENTARY_EXPM1_H_
