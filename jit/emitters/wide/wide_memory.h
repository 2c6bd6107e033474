// Emits loads and stores of vectors of elements of 8 bytes, as they are in memory.
//
// Use it wherever an emitted loop moves such elements to or from groups of registers as
// jit/emitters/wide/wide_function.h has them: whole vectors, the first elements of the last one
// (jit/emitters/memory/vec_part.h), or one element for all. What is to be converted on the way to elements of 4 bytes
// has jit/emitters/convert/typed_load.h and typed_store.h. Emits to the vocabulary's assembler; see jit/emitters/vec.h
// for errors and threads.
#ifndef BURIN_JIT_EMITTERS_WIDE_WIDE_MEMORY_H_
#define BURIN_JIT_EMITTERS_WIDE_WIDE_MEMORY_H_

#include <cstdint>

#include "jit/asm/operands.h"
#include "jit/emitters/memory/vec_part.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Loads consecutive vectors from memory of any alignment; elements that are not in `part` of the last are 0. Uses 1
// register for a part with VecAvx2, 1 mask with VecAvx512.
template <class V>
void EmitLoadWide(V& v, const VecGroup& to, const Address& from, const VecPart<V>& part = {});

// Sets all elements of each register to the one in memory.
template <class V>
void EmitBroadcastWide(V& v, const VecGroup& to, const Address& from);

// Sets all elements of each register to the one with these bits.
template <class V>
void EmitConstantWide(V& v, const VecGroup& to, uint64_t bits);

// Stores consecutive vectors, but of the last only the elements of `part`. Uses 3 registers for a part with VecAvx2, 1
// mask with VecAvx512.
template <class V>
void EmitStoreWide(V& v, const Address& to, const VecGroup& from, const VecPart<V>& part = {});

// Stores the first element.
template <class V>
void EmitStoreFirstWide(V& v, const Address& to, const VecGroup& from);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_WIDE_WIDE_MEMORY_H_
