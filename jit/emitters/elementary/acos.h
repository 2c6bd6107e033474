// Emits the arc cosine on vectors of floats.
//
// Use it on registers of the vocabulary's width. Emits to the vocabulary's assembler; see jit/emitters/vec.h for errors
// and threads.
#ifndef BURIN_JIT_EMITTERS_ELEMENTARY_ACOS_H_
#define BURIN_JIT_EMITTERS_ELEMENTARY_ACOS_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Replaces x by acos x, at most 2 ulp off, near 1 too; +0 for 1, NaN beyond +-1. NaN stays NaN. Uses 4 vector
// registers; 1 mask with VecAvx512, 1 vector register more with VecAvx2.
//
// Method: by asin (jit/emitters/elementary/asin.h): for |x| up to 1/2, pi / 2 - asin x; above, 2 asin(sqrt((1 - x) /
// 2)); below, pi - 2 asin(sqrt((1 + x) / 2)).
template <class V>
void EmitAcos(V& v, const VecGroup& x);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ELEMENTARY_ACOS_H_
