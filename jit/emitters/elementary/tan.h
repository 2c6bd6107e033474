// Emits the tangent on vectors of floats.
//
// Use it for angles in radians. Emits to the vocabulary's assembler; see jit/emitters/vec.h for errors and threads.
#ifndef BURIN_JIT_EMITTERS_ELEMENTARY_TAN_H_
#define BURIN_JIT_EMITTERS_ELEMENTARY_TAN_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Replaces x by tan x, at most 3.5 ulp off for every float, next to its zeros and poles and among denormals too. NaN
// stays NaN, and so become infinities; zeros keep their sign. Beyond 2^20 the code takes a branch that is about five
// times as slow. Uses 3 vector registers, in that branch 2 and another 7 in all, with VecAvx2 8; and 1 mask with
// VecAvx512.
//
// Method: jit/emitters/elementary/reduce_angle.h, then tan r = r + r^3 P(r^2), P of degree 6 from
// jit/emitters/fit_coefficients.py, or -1 / tan r.
template <class V>
void EmitTan(V& v, const VecGroup& x);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ELEMENTARY_TAN_H_
