// Emits the power of vectors of 32-bit integers.
//
// Use it on registers of the vocabulary's width. Emits to the vocabulary's assembler; see jit/emitters/vec.h for errors
// and threads.
#ifndef BURIN_JIT_EMITTERS_ARITHMETIC_INTEGER_POWER_H_
#define BURIN_JIT_EMITTERS_ARITHMETIC_INTEGER_POWER_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Replaces the signed integers x by x to the power of y modulo 2^32, where x^0 = 1. A negative exponent gives the power
// truncated towards zero: 1 and -1 have one, all other bases give 0, and so does 0. Uses 3 vector registers and 1 mask
// a vector, and 1 of each more.
//
// Method: squares the base and halves the exponent of all elements until every exponent is 0: as many steps as the
// greatest one has bits.
template <class V>
void EmitPowerI32(V& v, const VecGroup& x, const VecGroup& y);

// Replaces the unsigned integers x by x to the power of the unsigned y, in the same way.
template <class V>
void EmitPowerU32(V& v, const VecGroup& x, const VecGroup& y);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ARITHMETIC_INTEGER_POWER_H_
