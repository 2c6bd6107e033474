// Emits the hyperbolic tangent on vectors of floats.
//
// Use it on a register of the vocabulary's width. Emits to the vocabulary's assembler; see jit/emitters/vec.h for
// errors and threads.
#ifndef BURIN_JIT_EMITTERS_ELEMENTARY_TANH_H_
#define BURIN_JIT_EMITTERS_ELEMENTARY_TANH_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Replaces x by tanh x, at most 6 ulp off, near 0 and among denormals too; +-1 beyond +-9.02. NaN stays NaN, zeros keep
// their sign. Uses 3 vector registers.
//
// Method: tanh x = x P(x^2) / Q(x^2) with degrees 6 and 3 from jit/emitters/fit_coefficients.py. P(0) and Q(0) are 1,
// so that a denormal x is its own result.
template <class V>
void EmitTanh(V& v, const VecGroup& x);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ELEMENTARY_TANH_H_
