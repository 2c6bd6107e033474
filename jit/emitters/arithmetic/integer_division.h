// Emits quotients and remainders of vectors of 32-bit integers, by zero and out of range included.
//
// Use it on registers of the vocabulary's width. Nothing traps: x / 0 = 0, x mod 0 = 0, and the most negative number
// divided by -1 is itself. Narrower integers may be widened first. Emits to the vocabulary's assembler; see
// jit/emitters/vec.h for errors and threads.
//
// Method: the quotient of doubles. Both operands are exact, and a quotient of 32-bit integers that is none itself
// differs from the next one by at least 2^-32 of it, which is far more than the rounding: the integral part is right.
#ifndef BURIN_JIT_EMITTERS_ARITHMETIC_INTEGER_DIVISION_H_
#define BURIN_JIT_EMITTERS_ARITHMETIC_INTEGER_DIVISION_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Replace the signed integers x by x / y, rounded towards zero or down. Use 3 vector registers, and a mask
// with VecAvx512.
template <class V>
void EmitDivideI32(V& v, const VecGroup& x, const VecGroup& y);
template <class V>
void EmitFloorDivideI32(V& v, const VecGroup& x, const VecGroup& y);

// Replace the signed integers x by their remainder, x - y * (x / y) with the quotient of the first or of the second: it
// has the sign of x or that of y. Use 3 vector registers, and a mask with VecAvx512.
template <class V>
void EmitModI32(V& v, const VecGroup& x, const VecGroup& y);
template <class V>
void EmitFloorModI32(V& v, const VecGroup& x, const VecGroup& y);

// Replace the unsigned integers x by x / y, rounded down, or by the remainder. Use 3 vector registers, and a mask with
// VecAvx512.
template <class V>
void EmitDivideU32(V& v, const VecGroup& x, const VecGroup& y);
template <class V>
void EmitModU32(V& v, const VecGroup& x, const VecGroup& y);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ARITHMETIC_INTEGER_DIVISION_H_
