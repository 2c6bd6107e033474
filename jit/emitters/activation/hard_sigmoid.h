// Emits the piecewise linear stand-ins of the logistic function and of swish on vectors of floats.
//
// Use them on registers of the vocabulary's width. Emits to the vocabulary's assembler; see jit/emitters/vec.h for
// errors and threads.
#ifndef BURIN_JIT_EMITTERS_ACTIVATION_HARD_SIGMOID_H_
#define BURIN_JIT_EMITTERS_ACTIVATION_HARD_SIGMOID_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Replaces x by max(0, min(1, alpha x + beta)), rounded once. NaN stays NaN; so does what alpha x + beta makes one.
// Uses a register for all vectors.
template <class V>
void EmitHardSigmoid(V& v, const VecGroup& x, float alpha, float beta);

// Replaces x by min(max(x + 3, 0), 6) / 6, at most 2 ulp off: exactly 0 up to -3 and 1 from 3 on. NaN stays NaN. Uses a
// register for all vectors.
template <class V>
void EmitHSigmoid(V& v, const VecGroup& x);

// Replaces x by x min(max(x + 3, 0), 6) / 6, at most 2.5 ulp off: -0 up to -3 and x from 3 on. NaN stays NaN, and
// -infinity becomes NaN, as the formula has it. Uses 1 vector register.
template <class V>
void EmitHSwish(V& v, const VecGroup& x);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ACTIVATION_HARD_SIGMOID_H_
