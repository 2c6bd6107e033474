// Brings results of integer operations into the range of their element's type.
//
// Use it behind what may leave that range: arithmetic and sums of elements narrower than a lane. Emits to the
// vocabulary's assembler; see jit/emitters/vec.h for errors and threads.
#ifndef BURIN_SNIPPETS_CODEGEN_WRAP_INTEGER_H_
#define BURIN_SNIPPETS_CODEGEN_WRAP_INTEGER_H_

#include "base/element_type.h"
#include "jit/emitters/vec_group.h"

namespace burin::snippets {

// Replaces 32-bit integers by their lowest bits as an integer of `type`. Emits nothing for integers of 32 bits and for
// booleans.
template <class V>
void EmitWrap(V& v, const jit::VecGroup& x, ElementType type);

}  // namespace burin::snippets

#endif  // BURIN_SNIPPETS_CODEGEN_WRAP_INTEGER_H_
