// Emits the natural logarithm on vectors of floats.
//
// Use it on a register of the vocabulary's width. Emits to the vocabulary's assembler; see jit/emitters/vec.h for
// errors and threads.
#ifndef BURIN_JIT_EMITTERS_ELEMENTARY_LOG_H_
#define BURIN_JIT_EMITTERS_ELEMENTARY_LOG_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Replaces x by log x, at most 1 ulp off, denormals included: -infinity for zeros, NaN below. +infinity and NaN stay.
// Uses 4 vector registers with VecAvx512, 6 with VecAvx2, and 1 mask with VecAvx512.
//
// Method: x = 2^k (1 + f) with 3/4 <= 1 + f < 3/2; log x = k log 2 + log(1 + f) with log 2 in two parts, of
// which k times the first is exact; log(1 + f) = f - f^2 / 2 + f^3 P(f), P of degree 8 from
// jit/emitters/fit_coefficients.py.
template <class V>
void EmitLog(V& v, const VecGroup& x);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ELEMENTARY_LOG_H_
