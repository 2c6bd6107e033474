// Emits arithmetic on vectors of doubles.
//
// Use it on groups of registers of 8-byte elements (jit/emitters/wide/wide_function.h): each function sets `to`, whose
// registers are none of its inputs', and changes no input. The rules of NaN, infinities and zeros are those of the
// emitters of floats by the same names (jit/emitters/arithmetic, rounding, activation). Emits to the vocabulary's
// assembler; see jit/emitters/vec.h for errors and threads.
#ifndef BURIN_JIT_EMITTERS_WIDE_F64_ARITHMETIC_H_
#define BURIN_JIT_EMITTERS_WIDE_F64_ARITHMETIC_H_

#include "jit/emitters/vec.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Set `to` to x + y, x - y, x * y, x / y, rounded to nearest-even, and to (x - y)^2, rounded twice. Use no register.
template <class V>
void EmitAddF64(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& y);
template <class V>
void EmitSubtractF64(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& y);
template <class V>
void EmitMultiplyF64(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& y);
template <class V>
void EmitDivideF64(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& y);
template <class V>
void EmitSquaredDifferenceF64(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& y);

// Set `to` to the smaller or the larger of x and y; NaN where either is NaN, and y where both are zeros. Use 1 mask.
template <class V>
void EmitMinimumF64(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& y);
template <class V>
void EmitMaximumF64(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& y);

// Sets `to` to min(max(x, min), max), where min <= max. NaN stays NaN, and so does a zero that equals a limit.
template <class V>
void EmitClampF64(V& v, const VecGroup& to, const VecGroup& x, double min, double max);

// Set `to` to the square root of x, -x, |x|, max(x, 0), and x, or x * slope below 0. The last uses 1 mask.
template <class V>
void EmitSqrtF64(V& v, const VecGroup& to, const VecGroup& x);
template <class V>
void EmitNegativeF64(V& v, const VecGroup& to, const VecGroup& x);
template <class V>
void EmitAbsF64(V& v, const VecGroup& to, const VecGroup& x);
template <class V>
void EmitReluF64(V& v, const VecGroup& to, const VecGroup& x);
template <class V>
void EmitPReluF64(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& slope);

// Sets `to` to -1 below 0 and 1 above; zeros and NaN stay. Uses 1 register and 1 mask.
template <class V>
void EmitSignF64(V& v, const VecGroup& to, const VecGroup& x);

// Set `to` to x, rounded to an integral number: as `rounding` says, or to nearest with halves away from zero.
template <class V>
void EmitRoundF64(V& v, const VecGroup& to, const VecGroup& x, VecRounding rounding);
template <class V>
void EmitRoundHalfAwayFromZeroF64(V& v, const VecGroup& to, const VecGroup& x);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_WIDE_F64_ARITHMETIC_H_
