// Emits arithmetic on vectors of 64-bit integers, which wraps around.
//
// Use it on groups of registers of 8-byte elements (jit/emitters/wide/wide_function.h): each function sets `to`, whose
// registers are none of its inputs' unless it says otherwise, and changes no input. Quotients are in
// jit/emitters/wide/i64_division.h. Emits to the vocabulary's assembler; see jit/emitters/vec.h for errors and threads.
#ifndef BURIN_JIT_EMITTERS_WIDE_I64_ARITHMETIC_H_
#define BURIN_JIT_EMITTERS_WIDE_I64_ARITHMETIC_H_

#include <cstdint>

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Set `to`, which may be x, to x + y, x - y, x * y and (x - y)^2 modulo 2^64. The last two use 2 registers with
// VecAvx2.
template <class V>
void EmitAddI64(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& y);
template <class V>
void EmitSubtractI64(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& y);
template <class V>
void EmitMultiplyI64(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& y);
template <class V>
void EmitSquaredDifferenceI64(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& y);

// Set `to`, which may be x, to the smaller or the larger of signed x and y. Use 1 register with VecAvx2.
template <class V>
void EmitMinimumI64(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& y);
template <class V>
void EmitMaximumI64(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& y);

// Sets `to` to min(max(x, min), max). Uses 2 registers.
template <class V>
void EmitClampI64(V& v, const VecGroup& to, const VecGroup& x, int64_t min, int64_t max);

// Set `to` to -x and |x|, where the most negative number stays, to -1, 0 or 1 as the sign of x, and to its bits
// inverted. Use up to 2 registers.
template <class V>
void EmitNegativeI64(V& v, const VecGroup& to, const VecGroup& x);
template <class V>
void EmitAbsI64(V& v, const VecGroup& to, const VecGroup& x);
template <class V>
void EmitSignI64(V& v, const VecGroup& to, const VecGroup& x);
template <class V>
void EmitBitwiseNotI64(V& v, const VecGroup& to, const VecGroup& x);

// Set `to` to the bits of x AND, OR, XOR y. Use no register.
template <class V>
void EmitBitwiseAndI64(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& y);
template <class V>
void EmitBitwiseOrI64(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& y);
template <class V>
void EmitBitwiseXorI64(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& y);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_WIDE_I64_ARITHMETIC_H_
