// Emits the inverse hyperbolic cosine on vectors of floats.
//
// Use it on registers of the vocabulary's width. Emits to the vocabulary's assembler; see jit/emitters/vec.h for errors
// and threads.
#ifndef BURIN_JIT_EMITTERS_ELEMENTARY_ACOSH_H_
#define BURIN_JIT_EMITTERS_ELEMENTARY_ACOSH_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Replaces x by acosh x, at most 2.5 ulp off, near 1 too; +0 for 1, NaN below 1. NaN and +infinity stay. Uses 7 vector
// registers, and 1 mask with VecAvx512.
//
// Method: log(1 + z), z = t + sqrt(t^2 + 2 t), t = x - 1; from 2^30 on log x + log 2.
template <class V>
void EmitAcosh(V& v, const VecGroup& x);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ELEMENTARY_ACOSH_H_
