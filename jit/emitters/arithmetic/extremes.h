// Emits the smaller and the larger of two numbers, and the clamp between two limits, on vectors of floats and of 32-bit
// integers.
//
// Use it on registers of the vocabulary's width. Not where NaN cannot be or need not stay: the vocabulary's Min() and
// Max() are one instruction. Emits to the vocabulary's assembler; see jit/emitters/vec.h for errors and threads.
#ifndef BURIN_JIT_EMITTERS_ARITHMETIC_EXTREMES_H_
#define BURIN_JIT_EMITTERS_ARITHMETIC_EXTREMES_H_

#include <cstdint>

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Replace the floats x by the smaller or the larger of x and y; NaN where either is NaN, and y where both are zeros.
// Use 1 mask and 1 vector register a vector, and with VecAvx2 2 vector registers.
template <class V>
void EmitMinimum(V& v, const VecGroup& x, const VecGroup& y);
template <class V>
void EmitMaximum(V& v, const VecGroup& x, const VecGroup& y);

// Replaces the floats x by min(max(x, min), max), where min <= max. NaN stays NaN, and so does a zero that equals a
// limit. Uses 2 registers for the constants.
template <class V>
void EmitClamp(V& v, const VecGroup& x, float min, float max);

// Replace the integers x by the smaller or the larger of x and y, signed or unsigned. Use no register.
template <class V>
void EmitMinimumI32(V& v, const VecGroup& x, const VecSource& y);
template <class V>
void EmitMaximumI32(V& v, const VecGroup& x, const VecSource& y);
template <class V>
void EmitMinimumU32(V& v, const VecGroup& x, const VecSource& y);
template <class V>
void EmitMaximumU32(V& v, const VecGroup& x, const VecSource& y);

// Replaces the signed integers x by min(max(x, min), max). Uses 1 register at a time for the constants.
template <class V>
void EmitClampI32(V& v, const VecGroup& x, int32_t min, int32_t max);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ARITHMETIC_EXTREMES_H_
