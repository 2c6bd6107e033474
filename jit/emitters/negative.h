// Emits -x on vectors of floats.
//
// Use it on a register of the vocabulary's width. Emits to the vocabulary's assembler; see jit/emitters/vec.h for
// errors and threads.
#ifndef BURIN_JIT_EMITTERS_NEGATIVE_H_
#define BURIN_JIT_EMITTERS_NEGATIVE_H_

#include "jit/asm/operands.h"

namespace burin::jit {

// Replaces x by -x, exactly: flips the sign bit, also of NaN. Uses no register.
template <class V>
void EmitNegative(V& v, const Xmm& x);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_NEGATIVE_H_
