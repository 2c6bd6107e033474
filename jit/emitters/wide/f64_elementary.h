// Emits exponentials and logarithms of vectors of doubles.
//
// Use it on groups of registers of 8-byte elements (jit/emitters/wide/wide_function.h): each function sets `to`, whose
// registers are none of its input's, and changes no input. Those of floats are in jit/emitters/elementary. Emits to the
// vocabulary's assembler; see jit/emitters/vec.h for errors and threads.
#ifndef BURIN_JIT_EMITTERS_WIDE_F64_ELEMENTARY_H_
#define BURIN_JIT_EMITTERS_WIDE_F64_ELEMENTARY_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Sets `to` to e^x within 2 ulp, denormal results and overflow included. Uses 2 registers for each of `to`.
//
// Method: x = n log 2 + r with |r| <= log(2) / 2, the series of e^r up to r^13, and the exact product with 2^n.
template <class V>
void EmitExpF64(V& v, const VecGroup& to, const VecGroup& x);

// Sets `to` to the natural logarithm of x within 2 ulp: -infinity of zeros, NaN below. Uses 5 registers and 1 mask.
//
// Method: x = 2^e (1 + f) with 1 + f about 1; log(1 + f) = 2 atanh(s), s = f / (2 + f), by the series up to s^23,
// added to f - f^2 / 2 so that what is large is exact.
template <class V>
void EmitLogF64(V& v, const VecGroup& to, const VecGroup& x);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_WIDE_F64_ELEMENTARY_H_
