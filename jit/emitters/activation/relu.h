// Emits max(x, 0) on vectors of floats.
//
// Use it on a register of the vocabulary's width. Emits to the vocabulary's assembler; see jit/emitters/vec.h for
// errors and threads.
#ifndef BURIN_JIT_EMITTERS_ACTIVATION_RELU_H_
#define BURIN_JIT_EMITTERS_ACTIVATION_RELU_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Replaces x by max(x, 0), exactly; NaN and -0 stay. Uses 1 vector register.
template <class V>
void EmitRelu(V& v, const VecGroup& x);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ACTIVATION_RELU_H_
