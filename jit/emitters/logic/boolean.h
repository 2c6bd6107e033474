// Turns masks into truth values and back.
//
// Use it in emitters that take or give truth values: elements that are the integer 0 or 1. Not for conditions that stay
// inside an emitter, which are masks throughout. Emits to the vocabulary's assembler; see jit/emitters/vec.h for errors
// and threads.
#ifndef BURIN_JIT_EMITTERS_LOGIC_BOOLEAN_H_
#define BURIN_JIT_EMITTERS_LOGIC_BOOLEAN_H_

#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Set `mask` where the element of x is the integer 0: where a truth value is false. Uses 1 register with VecAvx2.
void MaskOfZeros(VecAvx2& v, const VecAvx2::Mask& mask, const VecGroup& x);
void MaskOfZeros(VecAvx512& v, const VecAvx512::Mask& mask, const VecGroup& x);

// Set the elements of `to` to 1 where the mask is set, else to 0. Uses 1 register with VecAvx512.
void BooleansOfMask(VecAvx2& v, const VecGroup& to, const VecAvx2::Mask& mask);
void BooleansOfMask(VecAvx512& v, const VecGroup& to, const VecAvx512::Mask& mask);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_LOGIC_BOOLEAN_H_
