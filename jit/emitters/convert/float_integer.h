// Emits conversions between floats, integers and booleans of 32 bits in registers, with the semantics of Convert.
//
// Use it on registers of the vocabulary's width; for other element types, and for memory, see
// jit/emitters/convert/typed_load.h and typed_store.h. Where the input is known to be in range, the instructions of the
// vocabulary (FloatToI32, TruncateToI32) do. Emits to the vocabulary's assembler; see jit/emitters/vec.h for errors and
// threads.
#ifndef BURIN_JIT_EMITTERS_CONVERT_FLOAT_INTEGER_H_
#define BURIN_JIT_EMITTERS_CONVERT_FLOAT_INTEGER_H_

#include "jit/emitters/vec.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Replaces floats by integers, rounded as `rounding` says (Convert truncates: kTowardsZero) and saturated at the range
// of the type, infinities included; NaN gives 0. The second gives unsigned integers; what is negative gives 0. Uses at
// most 2 vector registers, and 1 mask with VecAvx512.
template <class V>
void EmitConvertF32ToI32(V& v, const VecGroup& x, VecRounding rounding);
template <class V>
void EmitConvertF32ToU32(V& v, const VecGroup& x, VecRounding rounding);

// Replaces integers by floats, rounded once, to nearest, ties to even. The second takes unsigned integers and uses at
// most 1 vector register.
template <class V>
void EmitConvertI32ToF32(V& v, const VecGroup& x);
template <class V>
void EmitConvertU32ToF32(V& v, const VecGroup& x);

// Replaces integers by floats that round to any float of at most 16 bits of precision as the integers themselves do:
// what does not fit is rounded to odd, which keeps it off the ties of the narrower type. Uses 2 vector registers, and 1
// mask with VecAvx512.
template <class V>
void EmitConvertI32ToF32ForNarrowing(V& v, const VecGroup& x);

// Replaces floats or integers by booleans: 0 for zeros, else 1, NaN and denormals included. Use no register.
template <class V>
void EmitConvertF32ToBoolean(V& v, const VecGroup& x);
template <class V>
void EmitConvertI32ToBoolean(V& v, const VecGroup& x);

// Replaces floats by integers in lanes of 32 bits for a type of `bits` = 8 or 16 bits, rounded as `rounding` says; NaN
// gives 0. Signed ones are in the range above and are to be saturated below, by what narrows them; unsigned ones are in
// range. Uses at most 1 vector register, and 1 mask with VecAvx512.
template <class V>
void EmitConvertF32ToNarrow(V& v, const VecGroup& x, VecRounding rounding, int bits, bool is_signed);

namespace internal {

// Replaces non-negative integral floats below 2^32 by unsigned integers, at 256 bits, where no instruction does. Uses 2
// vector registers and one more a vector.
void EmitUnsignedInRange(VecAvx2& v, const VecGroup& x);

}  // namespace internal
}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_CONVERT_FLOAT_INTEGER_H_
