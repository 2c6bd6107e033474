// Emits the cosine on vectors of floats.
//
// Use it for angles in radians. Emits to the vocabulary's assembler; see jit/emitters/vec.h for errors and threads.
#ifndef BURIN_JIT_EMITTERS_ELEMENTARY_COS_H_
#define BURIN_JIT_EMITTERS_ELEMENTARY_COS_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Replaces x by cos x, at most 2.5 ulp off for every float, next to its zeros too. NaN stays NaN, and so become
// infinities. Range, speed and registers are those of EmitSin() (jit/emitters/elementary/sin.h).
//
// Method: jit/emitters/elementary/reduce_angle.h, then the polynomial of the sine: cos x = sin (x + pi / 2).
template <class V>
void EmitCos(V& v, const VecGroup& x);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ELEMENTARY_COS_H_
