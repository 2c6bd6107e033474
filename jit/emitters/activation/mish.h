// Emits x tanh(log(1 + e^x)) on vectors of floats.
//
// Use it on a register of the vocabulary's width. Emits to the vocabulary's assembler; see jit/emitters/vec.h for
// errors and threads.
#ifndef BURIN_JIT_EMITTERS_ACTIVATION_MISH_H_
#define BURIN_JIT_EMITTERS_ACTIVATION_MISH_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Replaces x by x tanh(log(1 + e^x)), at most 3.1 ulp off, denormals included: x for large x, -0 far below. NaN stays
// NaN, and -infinity becomes NaN, as the formula has it. Uses 5 vector registers, and 1 mask.
//
// Method: tanh(log w) = (w^2 - 1) / (w^2 + 1). With e = e^-|x| <= 1 that is 1 - e f / (e f + f + 1), f = 2 e, for
// x >= 0, and e (1 - e f / (e f + f + 1)), f = e + 1, for negative x: the difference comes last, so that the errors of
// the quotient count for little. There, e = p 2^n, of which x takes 2^n first (see jit/emitters/activation/exp_gate.h).
template <class V>
void EmitMish(V& v, const VecGroup& x);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ACTIVATION_MISH_H_
