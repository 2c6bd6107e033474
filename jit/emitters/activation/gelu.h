// Emits the Gaussian error linear unit, in its two forms, on vectors of floats.
//
// Use it on a register of the vocabulary's width. Emits to the vocabulary's assembler; see jit/emitters/vec.h for
// errors and threads.
#ifndef BURIN_JIT_EMITTERS_ACTIVATION_GELU_H_
#define BURIN_JIT_EMITTERS_ACTIVATION_GELU_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Replaces x by x (1 + erf(x / sqrt 2)) / 2, at most 4e-7 max(1, |x|) off. NaN stays NaN, and -infinity becomes NaN, as
// the formula has it. Uses 4 vector registers.
//
// Method: the normal distribution less 1/2 as a polynomial of |x| a piece (jit/emitters/elementary/piecewise.h), of
// degree 7 on 8 pieces or 4 on 16, from jit/emitters/fit_coefficients.py.
template <class V>
void EmitGeluErf(V& v, const VecGroup& x);

// Replaces x by x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2, at most 4e-7 max(1, |x|) off. NaN stays NaN, and
// -infinity becomes NaN, as the formula has it. Uses 5 vector registers, and 1 mask with VecAvx512.
//
// Method: (1 + tanh u) / 2 is the logistic function of 2 u.
template <class V>
void EmitGeluTanh(V& v, const VecGroup& x);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ACTIVATION_GELU_H_
