// Converts the halves of vectors of 4-byte elements to doubles and back.
//
// Use it in emitters whose intermediate results are wider than a float: a vector of doubles has half as many elements,
// so they work on one half after the other. Not for whole operators on doubles. Emits to the vocabulary's assembler;
// see jit/emitters/vec.h for errors and threads.
#ifndef BURIN_JIT_EMITTERS_ARITHMETIC_F64_HALVES_H_
#define BURIN_JIT_EMITTERS_ARITHMETIC_F64_HALVES_H_

#include <cstdint>

#include "jit/asm/operands.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"

namespace burin::jit {

// Names the first or the second half of a vector.
enum class VecHalf : uint8_t { kLow, kHigh };

// Set the doubles of `to` to the floats, the signed or the unsigned integers of that half of `from`. `to` is not
// `from`.
template <class V>
void F32ToF64(V& v, const Xmm& to, const Xmm& from, VecHalf half);
template <class V>
void I32ToF64(V& v, const Xmm& to, const Xmm& from, VecHalf half);
template <class V>
void U32ToF64(V& v, const Xmm& to, const Xmm& from, VecHalf half);

// Round doubles to integral values.
void RoundF64(VecAvx2& v, const Xmm& x, VecRounding rounding);
void RoundF64(VecAvx512& v, const Xmm& x, VecRounding rounding);

// Convert doubles to the low half of `to`, which may be `from`: to the nearest float; towards zero, to INT32_MIN where
// no integer can hold it; and of integral values, where an unsigned integer can hold it (else to any integer).
template <class V>
void F64ToF32(V& v, const Xmm& to, const Xmm& from);
template <class V>
void F64ToI32(V& v, const Xmm& to, const Xmm& from);
template <class V>
void F64ToU32(V& v, const Xmm& to, const Xmm& from);

// Puts the low half of `high` behind the low half of `low`, in `low`.
void JoinHalves(VecAvx2& v, const Xmm& low, const Xmm& high);
void JoinHalves(VecAvx512& v, const Xmm& low, const Xmm& high);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_ARITHMETIC_F64_HALVES_H_
