// Changes the elements of vectors that a mask selects, without the registers that a Select() takes.
//
// The mechanism of the conversions in this folder. Emits to the vocabulary's assembler; see jit/emitters/vec.h for
// errors and threads.
#ifndef BURIN_JIT_EMITTERS_CONVERT_WHERE_H_
#define BURIN_JIT_EMITTERS_CONVERT_WHERE_H_

#include <cstdint>

#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit::internal {

// Zeroes the elements that the mask does not select.
void KeepWhere(VecAvx2& v, const VecAvx2::Mask& mask, const VecGroup& x);
void KeepWhere(VecAvx512& v, const VecAvx512::Mask& mask, const VecGroup& x);

// Sets bits of the elements that the mask selects, or inverts them. The mask may change.
void OrWhere(VecAvx2& v, const VecAvx2::Mask& mask, const VecGroup& x, uint32_t bits);
void OrWhere(VecAvx512& v, const VecAvx512::Mask& mask, const VecGroup& x, uint32_t bits);
void XorWhere(VecAvx2& v, const VecAvx2::Mask& mask, const VecGroup& x, uint32_t bits);
void XorWhere(VecAvx512& v, const VecAvx512::Mask& mask, const VecGroup& x, uint32_t bits);

}  // namespace burin::jit::internal

#endif  // BURIN_JIT_EMITTERS_CONVERT_WHERE_H_
