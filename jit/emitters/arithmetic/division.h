// Emits the division of vectors of floats.
//
// Use it on registers of the vocabulary's width. Not inside other emitters, where VecAvx512::DivFast() does for
// divisors of moderate size. Emits to the vocabulary's assembler; see jit/emitters/vec.h for errors and threads.
#ifndef BURIN_JIT_EMITTERS_ARITHMETIC_DIVISION_H_
#define BURIN_JIT_EMITTERS_ARITHMETIC_DIVISION_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Replaces x by x / y, rounded to nearest-even, as IEEE 754 has it: x / 0 is an infinity, 0 / 0 is NaN. Uses no
// register.
template <class V>
void EmitDivide(V& v, const VecGroup& x, const VecSource& y);

// Replaces x by 1 / x, rounded to nearest-even: that of a zero is an infinity of its sign. Uses a register for the
// constant.
template <class V>
void EmitReciprocal(V& v, const VecGroup& x);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ARITHMETIC_DIVISION_H_
