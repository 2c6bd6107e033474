// Multiplies and converts 64-bit integers, which has no instruction at 256 bits.
//
// The mechanism of the emitters in this folder, on one register at a time. Emits to the vocabulary's assembler; see
// jit/emitters/vec.h for errors and threads.
#ifndef BURIN_JIT_EMITTERS_WIDE_I64_LANES_H_
#define BURIN_JIT_EMITTERS_WIDE_I64_LANES_H_

#include "jit/asm/operands.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"

namespace burin::jit {

// to = a * b modulo 2^64. `to` may be either. Uses 2 registers with VecAvx2.
void MultiplyI64(VecAvx2& v, const Xmm& to, const Xmm& a, const Xmm& b);
void MultiplyI64(VecAvx512& v, const Xmm& to, const Xmm& a, const Xmm& b);

// to = |a| modulo 2^64: that of the most negative number is 2^63 as an unsigned integer. `to` may be `a`. Uses 1
// register with VecAvx2.
void MagnitudeI64(VecAvx2& v, const Xmm& to, const Xmm& a);
void MagnitudeI64(VecAvx512& v, const Xmm& to, const Xmm& a);

// Sets all bits where a is negative, and none elsewhere. `to` is not `a`.
void SignsOfI64(VecAvx2& v, const Xmm& to, const Xmm& a);
void SignsOfI64(VecAvx512& v, const Xmm& to, const Xmm& a);

// Makes doubles of signed integers, rounded once, to nearest, ties to even. `to` may be `from`. Uses 1 register with
// VecAvx2.
void I64ToF64(VecAvx2& v, const Xmm& to, const Xmm& from);
void I64ToF64(VecAvx512& v, const Xmm& to, const Xmm& from);

// Makes signed integers of doubles: truncated, saturated, NaN as 0. `to` is not `from`, which does not change. Uses 2
// registers with VecAvx2, 1 mask with VecAvx512.
void F64ToI64(VecAvx2& v, const Xmm& to, const Xmm& from);
void F64ToI64(VecAvx512& v, const Xmm& to, const Xmm& from);

// Rounds signed integers so that they are doubles, and round to any narrower float as they did before: of those beyond
// 53 bits the lowest 11 are made one. Two's complement rounds down where they are cut off, so that the odd number is
// next to the exact one in any case. Uses 2 registers, and 1 mask.
template <class V>
void RoundI64ToOdd(V& v, const Xmm& x);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_WIDE_I64_LANES_H_
