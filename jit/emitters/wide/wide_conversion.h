// Emits conversions between elements of 8 bytes, and between those and elements of 4 bytes, with the semantics of
// Convert.
//
// Use it on groups of registers as jit/emitters/wide/wide_function.h has them. Elements of 4 bytes are floats, signed
// integers or truth values; conversions from and to narrower types go through these (see each). Each function sets
// `to`, whose registers are none of its input's, and changes no input. To truth values see EmitIsNotZero...() in
// jit/emitters/wide/wide_comparison.h. Emits to the vocabulary's assembler; see jit/emitters/vec.h for errors and
// threads.
#ifndef BURIN_JIT_EMITTERS_WIDE_WIDE_CONVERSION_H_
#define BURIN_JIT_EMITTERS_WIDE_WIDE_CONVERSION_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Make doubles or 64-bit integers of floats or of 32-bit integers. Floats to integers: truncated, saturated, NaN as 0;
// all others are exact. Use up to 3 registers and 1 mask.
template <class V>
void EmitConvertF32ToF64(V& v, const VecGroup& to, const VecGroup& x);
template <class V>
void EmitConvertI32ToF64(V& v, const VecGroup& to, const VecGroup& x);
template <class V>
void EmitConvertF32ToI64(V& v, const VecGroup& to, const VecGroup& x);
template <class V>
void EmitConvertI32ToI64(V& v, const VecGroup& to, const VecGroup& x);

// Make floats, rounded once, to nearest, ties to even. Use up to 5 registers and 1 mask.
template <class V>
void EmitConvertF64ToF32(V& v, const VecGroup& to, const VecGroup& x);
template <class V>
void EmitConvertI64ToF32(V& v, const VecGroup& to, const VecGroup& x);

// Make floats that round to any float of at most 11 bits of precision (f16, bf16) as x itself does: what does not fit
// is rounded to odd. Use up to 5 registers and 1 mask.
template <class V>
void EmitConvertF64ToF32ForNarrowing(V& v, const VecGroup& to, const VecGroup& x);
template <class V>
void EmitConvertI64ToF32ForNarrowing(V& v, const VecGroup& to, const VecGroup& x);

// Make 32-bit integers: of doubles truncated and saturated, NaN as 0; of integers the lowest bits. What is narrower is
// to be clamped, or wrapped, afterwards. Use up to 3 registers and 1 mask.
template <class V>
void EmitConvertF64ToI32(V& v, const VecGroup& to, const VecGroup& x);
template <class V>
void EmitConvertI64ToI32(V& v, const VecGroup& to, const VecGroup& x);

// Make one of the other: doubles truncated and saturated, NaN as 0; integers rounded once. Use 2 registers and 1 mask.
template <class V>
void EmitConvertF64ToI64(V& v, const VecGroup& to, const VecGroup& x);
template <class V>
void EmitConvertI64ToF64(V& v, const VecGroup& to, const VecGroup& x);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_WIDE_WIDE_CONVERSION_H_
