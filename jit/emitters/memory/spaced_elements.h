// Moves vectors of 32-bit elements between registers and memory in which they lie apart.
//
// Use it for strided operands of fused kernels: real and imaginary parts side by side, one channel of pixels, a column.
// Where the distance is a small number of elements that is known when code is generated, whole vectors are moved and
// their elements sorted out; where it is in a register, elements are moved one by one. Not for parts of vectors, nor
// for elements side by side. Memory outside of the elements is not written, and none before the first or behind the
// last is read. Emits to the vocabulary's assembler; used by one thread.
#ifndef BURIN_JIT_EMITTERS_MEMORY_SPACED_ELEMENTS_H_
#define BURIN_JIT_EMITTERS_MEMORY_SPACED_ELEMENTS_H_

#include "jit/asm/operands.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"

namespace burin::jit {

// Is the greatest distance of elements, in elements, that code is made for; the least is 2.
inline constexpr int kMostSpacing = 4;

// Load a vector: element i is the one at from[i * spacing]. Use two registers at 256 bits, and one at 512.
void EmitLoadSpaced(VecAvx2& v, const Xmm& to, const Address& from, int spacing);
void EmitLoadSpaced(VecAvx512& v, const Xmm& to, const Address& from, int spacing);

// Store a vector: element i becomes the one at to[i * spacing]. Use a register, and at 512 bits a general one and a
// mask.
void EmitStoreSpaced(VecAvx2& v, const Address& to, const Xmm& from, int spacing);
void EmitStoreSpaced(VecAvx512& v, const Address& to, const Xmm& from, int spacing);

// Load and store a vector whose elements are `stride` bytes apart; `from` or `to` moves on by as many strides as a
// vector has elements. Use a register.
void EmitLoadStrided(VecAvx2& v, const Xmm& to, const Reg64& from, const Reg64& stride);
void EmitLoadStrided(VecAvx512& v, const Xmm& to, const Reg64& from, const Reg64& stride);
void EmitStoreStrided(VecAvx2& v, const Reg64& to, const Reg64& stride, const Xmm& from);
void EmitStoreStrided(VecAvx512& v, const Reg64& to, const Reg64& stride, const Xmm& from);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_MEMORY_SPACED_ELEMENTS_H_
