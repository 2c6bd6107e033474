// Emits x / (1 + |x|) on vectors of floats.
//
// Use it on a register of the vocabulary's width. Emits to the vocabulary's assembler; see jit/emitters/vec.h for
// errors and threads.
#ifndef BURIN_JIT_EMITTERS_ACTIVATION_SOFT_SIGN_H_
#define BURIN_JIT_EMITTERS_ACTIVATION_SOFT_SIGN_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Replaces x by x / (1 + |x|), at most 1.5 ulp off, denormals included. NaN stays NaN, infinities become NaN, as the
// formula has it, and zeros keep their sign. Uses 1 vector register.
template <class V>
void EmitSoftSign(V& v, const VecGroup& x);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ACTIVATION_SOFT_SIGN_H_
