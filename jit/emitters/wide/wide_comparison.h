// Emits comparisons of vectors of elements of 8 bytes, and choices between such by truth values.
//
// Use it on groups of registers as jit/emitters/wide/wide_function.h has them: truth values are elements of 4 bytes, 0
// or 1. Each function sets `to`, whose registers are none of its inputs', and changes no input. Emits to the
// vocabulary's assembler; see jit/emitters/vec.h for errors and threads.
#ifndef BURIN_JIT_EMITTERS_WIDE_WIDE_COMPARISON_H_
#define BURIN_JIT_EMITTERS_WIDE_WIDE_COMPARISON_H_

#include "jit/emitters/comparison/classification.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Set `to` to the truth values of x OP y, of doubles or of signed integers. Use 2 masks.
template <class V>
void EmitCompareF64(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& y, VecCompare compare);
template <class V>
void EmitCompareI64(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& y, VecCompareI32 compare);

// Set `to` to whether the doubles x are NaN, neither NaN nor infinite, infinite with one of the signs; and to whether
// doubles or integers are other than 0, as NaN is. Use 2 masks and up to 2 registers.
template <class V>
void EmitIsNaNF64(V& v, const VecGroup& to, const VecGroup& x);
template <class V>
void EmitIsFiniteF64(V& v, const VecGroup& to, const VecGroup& x);
template <class V>
void EmitIsInfF64(V& v, const VecGroup& to, const VecGroup& x, InfinitySigns signs);
template <class V>
void EmitIsNotZeroF64(V& v, const VecGroup& to, const VecGroup& x);
template <class V>
void EmitIsNotZeroI64(V& v, const VecGroup& to, const VecGroup& x);

// Sets the elements of 8 bytes of `to` to those of `if_true` or of `if_false`, by truth values. Uses 2 masks.
template <class V>
void EmitSelectWide(V& v, const VecGroup& to, const VecGroup& condition, const VecGroup& if_true,
                    const VecGroup& if_false);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_WIDE_WIDE_COMPARISON_H_
