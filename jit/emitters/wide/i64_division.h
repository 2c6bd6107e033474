// Emits quotients and remainders of vectors of signed 64-bit integers, by zero and out of range included.
//
// Use it on groups of registers of 8-byte elements (jit/emitters/wide/wide_function.h): each function sets `to`, whose
// registers are none of its inputs', and changes no input. Nothing traps: x / 0 = 0, x mod 0 = 0, and the most negative
// number divided by -1 is itself. Emits to the vocabulary's assembler; see jit/emitters/vec.h for errors and threads.
//
// Method, on magnitudes: the quotient of both as doubles is off by less than 2^12. What that leaves of the dividend,
// modulo 2^64, is exact and fits into a signed integer, and dividing it by the same means leaves a quotient that is off
// by one at most, which two comparisons of the remainder mend. (Where the divisor is within 2^12 of 2^63, the quotient
// is 0 or 1, and the remainder fits because magnitudes round as they compare.)
#ifndef BURIN_JIT_EMITTERS_WIDE_I64_DIVISION_H_
#define BURIN_JIT_EMITTERS_WIDE_I64_DIVISION_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Set `to` to x / y, rounded towards zero or down. Use 7 registers, and with VecAvx512 a mask.
template <class V>
void EmitDivideI64(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& y);
template <class V>
void EmitFloorDivideI64(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& y);

// Set `to` to the remainder, x - y * (x / y) with the quotient of the first or of the second: it has the sign of x or
// that of y. Use as many.
template <class V>
void EmitModI64(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& y);
template <class V>
void EmitFloorModI64(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& y);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_WIDE_I64_DIVISION_H_
