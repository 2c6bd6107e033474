// Emits the hyperbolic cosine on vectors of floats.
//
// Use it on registers of the vocabulary's width. Emits to the vocabulary's assembler; see jit/emitters/vec.h for errors
// and threads.
#ifndef BURIN_JIT_EMITTERS_ELEMENTARY_COSH_H_
#define BURIN_JIT_EMITTERS_ELEMENTARY_COSH_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Replaces x by cosh x, at most 2 ulp off; +infinity where that rounds to infinity, from +-89.42 on. NaN stays NaN.
// Uses 3 vector registers.
//
// Method: h + 1 / (4 h) with h = e^|x| / 2.
template <class V>
void EmitCosh(V& v, const VecGroup& x);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ELEMENTARY_COSH_H_
