// Emits the rounding of floats to a narrower float type, as floats again.
//
// Use it where a value passes through a type of fewer bits without leaving the registers. For memory there are typed
// stores (jit/emitters/convert/typed_store.h). Emits to the vocabulary's assembler; see jit/emitters/vec.h for errors
// and threads.
#ifndef BURIN_JIT_EMITTERS_CONVERT_ROUND_FLOAT_H_
#define BURIN_JIT_EMITTERS_CONVERT_ROUND_FLOAT_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Replaces floats by the nearest that an IEEE half or a bfloat16 holds, ties to even; overflow gives infinity,
// denormals of the narrower type stay, a NaN becomes quiet. The first uses no register, the second what
// EmitConvertF32ToBF16() does.
template <class V>
void EmitRoundToF16(V& v, const VecGroup& x);
template <class V>
void EmitRoundToBF16(V& v, const VecGroup& x);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_CONVERT_ROUND_FLOAT_H_
