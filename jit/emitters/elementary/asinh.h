// Emits the inverse hyperbolic sine on vectors of floats.
//
// Use it on registers of the vocabulary's width. Emits to the vocabulary's assembler; see jit/emitters/vec.h for errors
// and threads.
#ifndef BURIN_JIT_EMITTERS_ELEMENTARY_ASINH_H_
#define BURIN_JIT_EMITTERS_ELEMENTARY_ASINH_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Replaces x by asinh x, at most 2.5 ulp off, near 0 and among denormals too. NaN and infinities stay, zeros keep their
// sign. Uses 7 vector registers, and 1 mask with VecAvx512.
//
// Method: log(1 + z), z = |x| + x^2 / (1 + sqrt(1 + x^2)); from 2^30 on log |x| + log 2.
template <class V>
void EmitAsinh(V& v, const VecGroup& x);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ELEMENTARY_ASINH_H_
