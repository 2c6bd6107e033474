// Emits log(1 + e^x), and the logarithm of the logistic function, on vectors of floats.
//
// Use them on registers of the vocabulary's width. Emits to the vocabulary's assembler; see jit/emitters/vec.h for
// errors and threads.
//
// Method: with e = e^-|x| <= 1, log(1 + e^x) = max(x, 0) + log(1 + e), whose second term is e P(e), P of degree 10 from
// jit/emitters/fit_coefficients.py with P(0) = 1, so that it keeps its relative precision however small e is.
#ifndef BURIN_JIT_EMITTERS_ACTIVATION_SOFT_PLUS_H_
#define BURIN_JIT_EMITTERS_ACTIVATION_SOFT_PLUS_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Replaces x by log(1 + e^x), at most 3 ulp off, denormals included: x for large x, +0 far below. NaN stays NaN. Uses 4
// vector registers, 5 with VecAvx2.
template <class V>
void EmitSoftPlus(V& v, const VecGroup& x);

// Replaces x by -log(1 + e^-x), at most 3 ulp off, denormals included: x far below, -0 for large x. NaN stays NaN. Uses
// 4 vector registers, 5 with VecAvx2.
template <class V>
void EmitLogSigmoid(V& v, const VecGroup& x);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ACTIVATION_SOFT_PLUS_H_
