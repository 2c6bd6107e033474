// Emits log(1 + x) on vectors of floats.
//
// Use it where x may be near 0 and the result's own size counts, as in SoftPlus. Emits to the vocabulary's assembler;
// see jit/emitters/vec.h for errors and threads.
#ifndef BURIN_JIT_EMITTERS_ELEMENTARY_LOG1P_H_
#define BURIN_JIT_EMITTERS_ELEMENTARY_LOG1P_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Replaces x by log(1 + x), at most 1.5 ulp off, near 0 and among denormals too: -infinity for -1, NaN below. +infinity
// and NaN stay, zeros keep their sign. Uses 6 vector registers.
//
// Method: 1 + x = 2^k (1 + f) (jit/emitters/elementary/log_parts.h), where f also takes what was lost in rounding
// 1 + x, which is a float.
template <class V>
void EmitLog1p(V& v, const VecGroup& x);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ELEMENTARY_LOG1P_H_
