// Emits operations on the bits of vectors of 32-bit integers.
//
// Use it on registers of the vocabulary's width. Not for truth values, whose negation jit/emitters/logic/logical.h has.
// Emits to the vocabulary's assembler; see jit/emitters/vec.h for errors and threads.
#ifndef BURIN_JIT_EMITTERS_LOGIC_BITWISE_H_
#define BURIN_JIT_EMITTERS_LOGIC_BITWISE_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Replace x by its bits combined with those of y. Use no register.
template <class V>
void EmitBitwiseAnd(V& v, const VecGroup& x, const VecSource& y);
template <class V>
void EmitBitwiseOr(V& v, const VecGroup& x, const VecSource& y);
template <class V>
void EmitBitwiseXor(V& v, const VecGroup& x, const VecSource& y);

// Replaces every bit of x by its opposite. Uses a register for the constant.
template <class V>
void EmitBitwiseNot(V& v, const VecGroup& x);

// Replace x by its bits moved y places to the left, or to the right with copies of the sign or zeros behind them.
// Counts that are negative or above 31 move all bits out: 0 remains, or -1 of a negative number in the signed one. Use
// no register.
template <class V>
void EmitBitwiseLeftShift(V& v, const VecGroup& x, const VecSource& y);
template <class V>
void EmitBitwiseRightShift(V& v, const VecGroup& x, const VecSource& y);
template <class V>
void EmitBitwiseRightShiftU32(V& v, const VecGroup& x, const VecSource& y);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_LOGIC_BITWISE_H_
