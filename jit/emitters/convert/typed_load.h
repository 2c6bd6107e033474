// Emits loads of elements of any type into vectors of floats or of 32-bit integers.
//
// Use it wherever an emitted loop reads a tensor whose type is a parameter: whole vectors, the first elements of the
// last one (jit/emitters/memory/vec_part.h), or one element for all lanes. The result is that of Convert from the
// element's type, bit for bit, but that signalling NaNs of f32 and bf16 are not made quiet (what computes with them
// does that). Types below 8 bits, which share bytes, are not loaded here.
//
// Emits to the vocabulary's assembler; see jit/emitters/vec.h for errors and threads. A type that is not supported is
// an error of the assembler: Unimplemented.
#ifndef BURIN_JIT_EMITTERS_CONVERT_TYPED_LOAD_H_
#define BURIN_JIT_EMITTERS_CONVERT_TYPED_LOAD_H_

#include "base/element_type.h"
#include "jit/asm/operands.h"
#include "jit/emitters/memory/vec_part.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Loads consecutive vectors of elements of `type`, which is a number or boolean of at least 8 bits, from memory of any
// alignment. `part` says which elements of the last vector there are; the rest become what the code 0 of the type is.
//
// As floats: integers and f64 rounded once, to nearest, ties to even; a boolean byte but 0 as 1. As integers: floats
// truncated and saturated, NaN as 0; integers by their lowest 32 bits; a boolean byte but 0 as 1.
//
// Uses no vector register for f16, bf16, f32 and integers up to 32 bits, but 1 for a part, 1 or 2 a vector for 8-bit
// floats, u32 and conversions of floats to integers, and up to 7 for elements of 8 bytes; at most 1 mask a
// vector. Groups of 6 fit into the registers of VecAvx512, groups of 2 into those of VecAvx2.
template <class V>
void EmitLoadAsF32(V& v, ElementType type, const VecGroup& to, const Address& from, const VecPart<V>& part = {});
template <class V>
void EmitLoadAsI32(V& v, ElementType type, const VecGroup& to, const Address& from, const VecPart<V>& part = {});

// Sets all lanes to the one element in memory, likewise.
template <class V>
void EmitBroadcastAsF32(V& v, ElementType type, const Xmm& to, const Address& from);
template <class V>
void EmitBroadcastAsI32(V& v, ElementType type, const Xmm& to, const Address& from);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_CONVERT_TYPED_LOAD_H_
