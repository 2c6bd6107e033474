// Emits what gates that decay like e^-|x| share: e^-|x|, in two factors, of which one is applied to x early.
//
// Use it to build functions of the form x g(e^-|factor x|) where g decays like its argument on one side: the product
// then stays exact to within an ulp among the denormals, where e^-|x| itself has too few bits. Emits to the
// vocabulary's assembler; see jit/emitters/vec.h for errors and threads.
#ifndef BURIN_JIT_EMITTERS_ACTIVATION_EXP_GATE_H_
#define BURIN_JIT_EMITTERS_ACTIVATION_EXP_GATE_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Bound the factors that EmitExpGate() takes.
inline constexpr float kExpGateLowestFactor = 0x1p-94f;
inline constexpr float kExpGateHighestFactor = 0x1p+126f;

// Sets e to e^-|factor x| = p 2^n, with |p| in 0.7 to 1.42 and n <= 0, and multiplies x by 2^n where `decays` is set:
// a product that is below the denormals becomes a zero, infinity NaN. kExpGateLowestFactor <= factor <=
// kExpGateHighestFactor. Where x is NaN, so are x and e, and p is any. `decays` names where x is negative, or where it
// is positive; it does not matter where x is 0. Uses 1 vector register with VecAvx512, 2 with VecAvx2.
template <class V>
void EmitExpGate(V& v, const VecGroup& x, const typename V::Mask& decays, float factor, const VecGroup& p,
                 const VecGroup& e);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ACTIVATION_EXP_GATE_H_
