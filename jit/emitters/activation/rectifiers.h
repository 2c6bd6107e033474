// Emits the activation functions that join straight lines, other than Relu, on vectors of floats.
//
// Use them on registers of the vocabulary's width; jit/emitters/activation/relu.h for max(x, 0). Each is exact but for
// the rounding of its one multiplication or addition. Emits to the vocabulary's assembler; see jit/emitters/vec.h for
// errors and threads.
#ifndef BURIN_JIT_EMITTERS_ACTIVATION_RECTIFIERS_H_
#define BURIN_JIT_EMITTERS_ACTIVATION_RECTIFIERS_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Replaces x by slope x where x < 0; zeros, positive numbers and NaN stay. Uses 1 vector register and 1 mask.
template <class V>
void EmitPRelu(V& v, const VecGroup& x, const VecSource& slope);

// Does the same with alpha as the slope of all elements. Uses 1 vector register where 0 < alpha <= 1.
template <class V>
void EmitLeakyRelu(V& v, const VecGroup& x, float alpha);

// Replaces x by 0 unless x > alpha: NaN too. Uses 1 mask, and a vector register for all vectors.
template <class V>
void EmitThresholdedRelu(V& v, const VecGroup& x, float alpha);

// Replaces x by x + bias where x < -lambd, else by x - bias where x > lambd, else by 0: NaN too. Uses 2 vector
// registers and 1 mask.
template <class V>
void EmitShrink(V& v, const VecGroup& x, float bias, float lambd);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ACTIVATION_RECTIFIERS_H_
