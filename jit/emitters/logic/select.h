// Emits the choice between two vectors by a third of truth values.
//
// Use it on registers of the vocabulary's width. Not for conditions inside an emitter: the vocabulary's Select() takes
// masks. Emits to the vocabulary's assembler; see jit/emitters/vec.h for errors and threads.
#ifndef BURIN_JIT_EMITTERS_LOGIC_SELECT_H_
#define BURIN_JIT_EMITTERS_LOGIC_SELECT_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Replaces the truth values (or integers) `condition` by `if_true` where they are not 0, else by `if_false`: elements
// of any kind, bit for bit. Uses 1 mask a vector, and 1 vector register with VecAvx2.
template <class V>
void EmitSelect(V& v, const VecGroup& condition, const VecGroup& if_true, const VecGroup& if_false);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_LOGIC_SELECT_H_
