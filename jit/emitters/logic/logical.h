// Emits the logical operations on vectors of truth values: elements that are the integer 0 or 1.
//
// Use it on registers of the vocabulary's width. Not for integers, of which jit/emitters/logic/bitwise.h combines the
// bits. Emits to the vocabulary's assembler; see jit/emitters/vec.h for errors and threads.
#ifndef BURIN_JIT_EMITTERS_LOGIC_LOGICAL_H_
#define BURIN_JIT_EMITTERS_LOGIC_LOGICAL_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Replace x by whether both are true, at least one is, or exactly one. Use no register.
template <class V>
void EmitLogicalAnd(V& v, const VecGroup& x, const VecSource& y);
template <class V>
void EmitLogicalOr(V& v, const VecGroup& x, const VecSource& y);
template <class V>
void EmitLogicalXor(V& v, const VecGroup& x, const VecSource& y);

// Replaces x by whether it is false. Uses a register for the constant.
template <class V>
void EmitLogicalNot(V& v, const VecGroup& x);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_LOGIC_LOGICAL_H_
