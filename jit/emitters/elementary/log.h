// Emits the natural logarithm on vectors of floats.
//
// Use it on a register of the vocabulary's width. Emits to the vocabulary's assembler; see jit/emitters/vec.h for
// errors and threads.
#ifndef BURIN_JIT_EMITTERS_ELEMENTARY_LOG_H_
#define BURIN_JIT_EMITTERS_ELEMENTARY_LOG_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Replaces x by log x, at most 1 ulp off, denormals included: -infinity for zeros, NaN below. +infinity and NaN stay.
// Uses 4 vector registers with VecAvx512, 5 with VecAvx2.
//
// Method: x = 2^k (1 + f), log x = k log 2 + log(1 + f) (jit/emitters/elementary/log_parts.h).
template <class V>
void EmitLog(V& v, const VecGroup& x);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ELEMENTARY_LOG_H_
