// Emits the exponential linear unit and its scaled and continuously differentiable forms on vectors of floats.
//
// Use them on registers of the vocabulary's width. NaN stays NaN and zeros keep their sign in all three. Emits to the
// vocabulary's assembler; see jit/emitters/vec.h for errors and threads.
#ifndef BURIN_JIT_EMITTERS_ACTIVATION_ELU_H_
#define BURIN_JIT_EMITTERS_ACTIVATION_ELU_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Replaces x by alpha (e^x - 1) where x < 0, at most 2 ulp off. Uses 4 vector registers, 5 with VecAvx2, and 1 mask.
template <class V>
void EmitElu(V& v, const VecGroup& x, float alpha);

// Replaces x by gamma x where x >= 0 and by gamma alpha (e^x - 1) where x < 0, at most 3 ulp off; gamma alpha is
// rounded to a float first. Uses 4 vector registers, 5 with VecAvx2, and 1 mask.
template <class V>
void EmitSelu(V& v, const VecGroup& x, float alpha, float gamma);

// Replaces x by max(0, x) + min(0, alpha (e^(x / alpha) - 1)), at most 3 ulp off. For alpha > 0. Uses 4 vector
// registers, 5 with VecAvx2, and 1 mask.
template <class V>
void EmitCelu(V& v, const VecGroup& x, float alpha);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ACTIVATION_ELU_H_
