// Emits the arc tangent on vectors of floats.
//
// Use it on registers of the vocabulary's width. Emits to the vocabulary's assembler; see jit/emitters/vec.h for errors
// and threads.
#ifndef BURIN_JIT_EMITTERS_ELEMENTARY_ATAN_H_
#define BURIN_JIT_EMITTERS_ELEMENTARY_ATAN_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Replaces x by atan x, at most 2 ulp off, near 0 and among denormals too; +-pi / 2 for infinities. NaN stays NaN,
// zeros keep their sign. Uses 4 vector registers; 1 mask with VecAvx512, 1 vector register more with VecAvx2.
//
// Method: atan t = t + t^3 P(t^2) for t = |x| up to 1, P of degree 8 from jit/emitters/fit_coefficients.py; beyond that
// pi / 2 - atan(1 / |x|).
template <class V>
void EmitAtan(V& v, const VecGroup& x);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ELEMENTARY_ATAN_H_
