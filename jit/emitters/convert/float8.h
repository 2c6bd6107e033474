// Emits the decoding and encoding of the 8-bit float types.
//
// The mechanism of typed loads and stores (jit/emitters/convert/typed_load.h, typed_store.h), which are what other code
// calls. Results are those of base/float_conversion.h, to the bit; denormals of a type are exact, whether or not the
// processor takes denormal floats for zeros. Emits to the vocabulary's assembler; see jit/emitters/vec.h for errors and
// threads.
#ifndef BURIN_JIT_EMITTERS_CONVERT_FLOAT8_H_
#define BURIN_JIT_EMITTERS_CONVERT_FLOAT8_H_

#include "base/element_type.h"
#include "base/float_conversion.h"
#include "jit/emitters/memory/raw_load.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit::internal {

// Returns whether it is one of f8e4m3fn, f8e4m3fnuz, f8e5m2, f8e5m2fnuz and f8e8m0.
bool IsFloat8(ElementType type);

// Loads elements of an 8-bit float type as floats, which is exact. Uses 1 vector register, a few for the group, and 1
// mask with VecAvx512.
//
// Method: e5m2 is the upper half of a binary16; e4m3 is one, but for a power of two, with its exponent one bit shorter.
template <class V>
void EmitLoadF8(V& v, ElementType type, const RawSource<V>& source, const VecGroup& to);

// Replaces floats by the codes of an 8-bit float type, in 32-bit lanes; rounded to nearest, ties to even, but for
// f8e8m0, whose rounding is `rounding`. What rounds past the largest number follows `overflow`. Uses 2 vector
// registers, a few for the group, and 1 mask with VecAvx512.
//
// Method: as for bfloat16 (jit/emitters/convert/bfloat16.h), and for results in the denormal range of the type by
// adding a power of two whose last place is that of the type's denormals.
template <class V>
void EmitConvertF32ToF8(V& v, ElementType type, Overflow overflow, PowerOfTwoRounding rounding, const VecGroup& x);

}  // namespace burin::jit::internal

#endif  // BURIN_JIT_EMITTERS_CONVERT_FLOAT8_H_
