// Emits the square root on vectors of floats.
//
// Use it on a register of the vocabulary's width. Emits to the vocabulary's assembler; see jit/emitters/vec.h for
// errors and threads.
#ifndef BURIN_JIT_EMITTERS_ARITHMETIC_SQRT_H_
#define BURIN_JIT_EMITTERS_ARITHMETIC_SQRT_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Replaces x by its square root, correctly rounded; -0 stays, and what is below becomes NaN. Uses no register.
template <class V>
void EmitSqrt(V& v, const VecGroup& x);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ARITHMETIC_SQRT_H_
