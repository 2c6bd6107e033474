// Emits the sign as a number, -1, 0 or 1, on vectors of floats and of 32-bit integers.
//
// Use it on registers of the vocabulary's width. Emits to the vocabulary's assembler; see jit/emitters/vec.h for errors
// and threads.
#ifndef BURIN_JIT_EMITTERS_ARITHMETIC_SIGN_H_
#define BURIN_JIT_EMITTERS_ARITHMETIC_SIGN_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Replaces the floats x by -1 below 0 and 1 above; zeros and NaN stay. Uses 1 mask and 1 vector register a vector, and
// 1 more for constants.
template <class V>
void EmitSign(V& v, const VecGroup& x);

// Replaces the signed integers x by -1, 0 or 1, as they are below, equal to or above 0. Uses 1 register at a time for
// constants.
template <class V>
void EmitSignI32(V& v, const VecGroup& x);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ARITHMETIC_SIGN_H_
