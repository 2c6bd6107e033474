// Emits -x on vectors of floats and of 32-bit integers.
//
// Use it on registers of the vocabulary's width. Emits to the vocabulary's assembler; see jit/emitters/vec.h for
// errors and threads.
#ifndef BURIN_JIT_EMITTERS_ARITHMETIC_NEGATIVE_H_
#define BURIN_JIT_EMITTERS_ARITHMETIC_NEGATIVE_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Replaces the floats x by -x, exactly: flips the sign bit, also of NaN. Uses a register for the constant.
template <class V>
void EmitNegative(V& v, const VecGroup& x);

// Replaces the integers x by -x modulo 2^32: the most negative number stays. Uses a register for the constant.
template <class V>
void EmitNegativeI32(V& v, const VecGroup& x);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ARITHMETIC_NEGATIVE_H_
