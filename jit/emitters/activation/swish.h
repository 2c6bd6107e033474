// Emits x times the logistic function of a multiple of x on vectors of floats.
//
// Use it on a register of the vocabulary's width: beta is 1 for SiLU, 1.702 for the quick form of the Gaussian error
// linear unit. Emits to the vocabulary's assembler; see jit/emitters/vec.h for errors and threads.
#ifndef BURIN_JIT_EMITTERS_ACTIVATION_SWISH_H_
#define BURIN_JIT_EMITTERS_ACTIVATION_SWISH_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Replaces x by x / (1 + e^(-beta x)), at most 4 ulp off, denormals included, where 2^-94 <= |beta| <= 2^126; for other
// beta the product beta x is rounded first and e^(-beta x) is 0 below the denormals. NaN stays NaN, and an infinity
// that the function decays towards (-infinity where beta is positive) becomes NaN, as the formula has it. Uses 4 vector
// registers, 5 with VecAvx2, and 1 mask.
//
// Method: with e = e^-|beta x| the factor of x is e / (1 + e) or 1 / (1 + e), as in
// jit/emitters/activation/sigmoid.h, and e = p 2^n, of which x takes 2^n before the division (see
// jit/emitters/activation/exp_gate.h).
template <class V>
void EmitSwish(V& v, const VecGroup& x, float beta);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ACTIVATION_SWISH_H_
