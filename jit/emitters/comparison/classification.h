// Emits the tests of vectors of floats for NaN and infinity, which give truth values.
//
// Use it on registers of the vocabulary's width. Emits to the vocabulary's assembler; see jit/emitters/vec.h for errors
// and threads.
#ifndef BURIN_JIT_EMITTERS_COMPARISON_CLASSIFICATION_H_
#define BURIN_JIT_EMITTERS_COMPARISON_CLASSIFICATION_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Says which infinities EmitIsInf() finds.
struct InfinitySigns {
  bool negative = true;
  bool positive = true;
};

// Replaces x by the truth value (the integer 0 or 1) of whether it is NaN. Uses 1 mask a vector, and 1 vector register
// with VecAvx512.
template <class V>
void EmitIsNaN(V& v, const VecGroup& x);

// Replaces x by the truth value of whether it is an infinity of such a sign. Uses 1 mask a vector and 1 vector
// register.
template <class V>
void EmitIsInf(V& v, const VecGroup& x, InfinitySigns signs);

// Replaces x by the truth value of whether it is neither an infinity nor NaN. Uses 1 mask a vector and 1 vector
// register.
template <class V>
void EmitIsFinite(V& v, const VecGroup& x);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_COMPARISON_CLASSIFICATION_H_
