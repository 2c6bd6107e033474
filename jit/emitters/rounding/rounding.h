// Emits the roundings of vectors of floats to integral values.
//
// Use it on registers of the vocabulary's width. Not for conversions to integers, which the vocabulary has. Emits to
// the vocabulary's assembler; see jit/emitters/vec.h for errors and threads.
#ifndef BURIN_JIT_EMITTERS_ROUNDING_ROUNDING_H_
#define BURIN_JIT_EMITTERS_ROUNDING_ROUNDING_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Replace x by the integral value below it, above it, towards zero, or nearest to it, of which there are two at a half:
// the even one, or that away from zero. All are exact. Integral values, infinities and NaN stay; a zero has the sign of
// x. Use no register, but the last, which uses 1 a vector and 1 more.
template <class V>
void EmitFloor(V& v, const VecGroup& x);
template <class V>
void EmitCeiling(V& v, const VecGroup& x);
template <class V>
void EmitTruncate(V& v, const VecGroup& x);
template <class V>
void EmitRoundHalfToEven(V& v, const VecGroup& x);
template <class V>
void EmitRoundHalfAwayFromZero(V& v, const VecGroup& x);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ROUNDING_ROUNDING_H_
