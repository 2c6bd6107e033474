// Emits the inverse hyperbolic tangent on vectors of floats.
//
// Use it on registers of the vocabulary's width. Emits to the vocabulary's assembler; see jit/emitters/vec.h for errors
// and threads.
#ifndef BURIN_JIT_EMITTERS_ELEMENTARY_ATANH_H_
#define BURIN_JIT_EMITTERS_ELEMENTARY_ATANH_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Replaces x by atanh x, at most 2.5 ulp off, near 0 and among denormals too; infinite for +-1, NaN beyond. NaN stays
// NaN, zeros keep their sign. Uses 7 vector registers.
//
// Method: log(1 + z) / 2, z = 2 |x| / (1 - |x|).
template <class V>
void EmitAtanh(V& v, const VecGroup& x);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ELEMENTARY_ATANH_H_
