// Emits e^x on vectors of floats.
//
// Use EmitExp() for any x, the others inside formulas that make x <= 0 or that would overflow where their result does
// not. Emits to the vocabulary's
// assembler; see jit/emitters/vec.h for errors and threads.
#ifndef BURIN_JIT_EMITTERS_ELEMENTARY_EXP_H_
#define BURIN_JIT_EMITTERS_ELEMENTARY_EXP_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Replaces x by e^x, at most 1 ulp off: +inf above log(2^128), denormals below log(2^-126), 0 below log(2^-150). NaN
// stays NaN. Uses 2 vector registers with VecAvx512, 3 with VecAvx2.
//
// Method: x = n log 2 + r, e^x = 2^n e^r (jit/emitters/elementary/exp_parts.h).
template <class V>
void EmitExp(V& v, const VecGroup& x);

// Does the same where x <= 0 or NaN; for greater x the result is undefined.
template <class V>
void EmitExpOfNonPositive(V& v, const VecGroup& x);

// Replaces x >= 0 or NaN by e^x / 2, at most 1 ulp off: +inf only where that is, above log(2^129).
template <class V>
void EmitHalfExpOfNonNegative(V& v, const VecGroup& x);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ELEMENTARY_EXP_H_
