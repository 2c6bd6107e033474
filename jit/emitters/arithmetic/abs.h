// Emits |x| on vectors of floats and of 32-bit integers.
//
// Use it on registers of the vocabulary's width. Emits to the vocabulary's assembler; see jit/emitters/vec.h for
// errors and threads.
#ifndef BURIN_JIT_EMITTERS_ARITHMETIC_ABS_H_
#define BURIN_JIT_EMITTERS_ARITHMETIC_ABS_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Replaces the floats x by |x|, exactly: clears the sign bit, also of NaN. Uses a register for the constant.
template <class V>
void EmitAbs(V& v, const VecGroup& x);

// Replaces the signed integers x by |x| modulo 2^32: the most negative number stays. Uses no register.
template <class V>
void EmitAbsI32(V& v, const VecGroup& x);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ARITHMETIC_ABS_H_
