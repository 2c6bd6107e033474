// Emits addition, subtraction and multiplication on vectors of floats and of 32-bit integers.
//
// Use it on registers of the vocabulary's width. Not inside other emitters, which have the vocabulary. Emits to the
// vocabulary's assembler; see jit/emitters/vec.h for errors and threads.
#ifndef BURIN_JIT_EMITTERS_ARITHMETIC_SUMS_AND_PRODUCTS_H_
#define BURIN_JIT_EMITTERS_ARITHMETIC_SUMS_AND_PRODUCTS_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Replace the floats x by x + y, x - y and x * y, rounded to nearest-even, as IEEE 754 has infinities, NaN and the
// signs of zeros. Use no register.
template <class V>
void EmitAdd(V& v, const VecGroup& x, const VecSource& y);
template <class V>
void EmitSubtract(V& v, const VecGroup& x, const VecSource& y);
template <class V>
void EmitMultiply(V& v, const VecGroup& x, const VecSource& y);

// Replaces the floats x by (x - y)^2, rounded after each of the two operations. Uses no register.
template <class V>
void EmitSquaredDifference(V& v, const VecGroup& x, const VecSource& y);

// Replaces the floats x by x * y + z, rounded once. Uses no register.
template <class V>
void EmitMultiplyAdd(V& v, const VecGroup& x, const VecGroup& y, const VecSource& z);

// Replace the integers x by x + y, x - y, x * y and (x - y)^2 modulo 2^32, signed or not. Use no register.
template <class V>
void EmitAddI32(V& v, const VecGroup& x, const VecSource& y);
template <class V>
void EmitSubtractI32(V& v, const VecGroup& x, const VecSource& y);
template <class V>
void EmitMultiplyI32(V& v, const VecGroup& x, const VecSource& y);
template <class V>
void EmitSquaredDifferenceI32(V& v, const VecGroup& x, const VecSource& y);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ARITHMETIC_SUMS_AND_PRODUCTS_H_
