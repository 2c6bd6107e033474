// Emits the logistic function on vectors of floats.
//
// Use it on a register of the vocabulary's width; x times it is swish. Emits to the vocabulary's assembler; see
// jit/emitters/vec.h for errors and threads.
#ifndef BURIN_JIT_EMITTERS_ACTIVATION_SIGMOID_H_
#define BURIN_JIT_EMITTERS_ACTIVATION_SIGMOID_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Replaces x by 1 / (1 + e^-x), at most 3 ulp off, denormals included; NaN stays NaN. Uses 4 vector registers, and 1
// mask with VecAvx512.
//
// Method: with e = e^-|x| <= 1, which cannot overflow, the result is e / (1 + e) for negative x and 1 / (1 + e) else.
template <class V>
void EmitSigmoid(V& v, const VecGroup& x);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ACTIVATION_SIGMOID_H_
