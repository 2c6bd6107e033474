// Emits the remainder of the division of vectors of doubles, exactly, for all quotients.
//
// Use it on groups of registers of 8-byte elements (jit/emitters/wide/wide_function.h): each function sets `to`, whose
// registers are none of its inputs', and changes no input. Emits to the vocabulary's assembler; see jit/emitters/vec.h
// for errors and threads.
#ifndef BURIN_JIT_EMITTERS_WIDE_F64_MODULO_H_
#define BURIN_JIT_EMITTERS_WIDE_F64_MODULO_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Sets `to` to x - y * trunc(x / y): fmod() of C. It has the sign of x, also where it is 0. NaN where either is NaN, x
// is infinite or y is 0; x where y is infinite. Uses 5 registers and 2 masks.
//
// Method: that of EmitMod() (jit/emitters/arithmetic/modulo.h), each of whose steps takes 53 bits off the quotient. As
// quotients of doubles may overflow, a step divides by y, or by y times 2^600 or 2^1200 where x is as large: the
// remainder of the remainder is the same.
template <class V>
void EmitModF64(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& y);

// Sets `to` to x - y * floor(x / y), rounded once: EmitModF64(), plus y where that is not 0 and has the other sign. A
// zero has the sign of x. Uses as many.
template <class V>
void EmitFloorModF64(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& y);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_WIDE_F64_MODULO_H_
