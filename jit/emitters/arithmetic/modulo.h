// Emits the remainder of the division of vectors of floats, exactly, for all quotients.
//
// Use it on registers of the vocabulary's width. The integers' are in jit/emitters/arithmetic/integer_division.h. Emits
// to the vocabulary's assembler; see jit/emitters/vec.h for errors and threads.
#ifndef BURIN_JIT_EMITTERS_ARITHMETIC_MODULO_H_
#define BURIN_JIT_EMITTERS_ARITHMETIC_MODULO_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Replaces x by x - y * trunc(x / y), which is a float: fmod() of C. It has the sign of x, also where it is 0. NaN
// where either is NaN, x is infinite or y is 0; x where y is infinite. Uses 6 vector registers, or 4 and a mask with
// VecAvx512.
//
// Method: on doubles, x -= y * trunc(x / y) by a fused multiply-subtract, again and again while |x| >= |y|. Each step
// is exact: the integral quotient q has at most 53 bits, and where it has more the rounded one leaves a multiple of
// ulp(q) * ulp(y) below ulp(q) * |y|, which is 25 bits or fewer. So one step does for quotients up to 2^53, and six for
// all. A quotient rounded up leaves a small negative remainder, to which |y| is added in the end.
template <class V>
void EmitMod(V& v, const VecGroup& x, const VecGroup& y);

// Replaces x by x - y * floor(x / y), rounded once: EmitMod(), plus y where that is not 0 and has the other sign. A
// zero has the sign of x; otherwise the result has that of y, and NaN is where EmitMod() has it. Uses as many
// registers, and a second mask.
template <class V>
void EmitFloorMod(V& v, const VecGroup& x, const VecGroup& y);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ARITHMETIC_MODULO_H_
