// Emits the comparisons of vectors of floats and of 32-bit integers, which give truth values.
//
// Use it on registers of the vocabulary's width, where the truth values are wanted as elements. Not for conditions
// inside an emitter, for which the vocabulary's masks do. Emits to the vocabulary's assembler; see jit/emitters/vec.h
// for errors and threads.
#ifndef BURIN_JIT_EMITTERS_COMPARISON_COMPARISON_H_
#define BURIN_JIT_EMITTERS_COMPARISON_COMPARISON_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Replace the floats x by the truth values (the integer 0 or 1) of x OP y. Where x or y is NaN, NotEqual is true and
// all others are false; 0 and -0 are equal. Use 1 mask a vector, and 1 vector register with VecAvx512.
template <class V>
void EmitEqual(V& v, const VecGroup& x, const VecSource& y);
template <class V>
void EmitNotEqual(V& v, const VecGroup& x, const VecSource& y);
template <class V>
void EmitLess(V& v, const VecGroup& x, const VecSource& y);
template <class V>
void EmitLessEqual(V& v, const VecGroup& x, const VecSource& y);
template <class V>
void EmitGreater(V& v, const VecGroup& x, const VecSource& y);
template <class V>
void EmitGreaterEqual(V& v, const VecGroup& x, const VecSource& y);

// Replace the signed integers x by the truth values of x OP y; the first two are for unsigned ones, too. Use 1 mask a
// vector and 1 vector register.
template <class V>
void EmitEqualI32(V& v, const VecGroup& x, const VecSource& y);
template <class V>
void EmitNotEqualI32(V& v, const VecGroup& x, const VecSource& y);
template <class V>
void EmitLessI32(V& v, const VecGroup& x, const VecSource& y);
template <class V>
void EmitLessEqualI32(V& v, const VecGroup& x, const VecSource& y);
template <class V>
void EmitGreaterI32(V& v, const VecGroup& x, const VecSource& y);
template <class V>
void EmitGreaterEqualI32(V& v, const VecGroup& x, const VecSource& y);

// Replace the unsigned integers x by the truth values of x OP y. Use 1 mask and 1 vector register a vector, and 1
// vector register more.
template <class V>
void EmitLessU32(V& v, const VecGroup& x, const VecGroup& y);
template <class V>
void EmitLessEqualU32(V& v, const VecGroup& x, const VecGroup& y);
template <class V>
void EmitGreaterU32(V& v, const VecGroup& x, const VecGroup& y);
template <class V>
void EmitGreaterEqualU32(V& v, const VecGroup& x, const VecGroup& y);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_COMPARISON_COMPARISON_H_
