// Emits the rounding of floats to bfloat16.
//
// The mechanism of typed stores (jit/emitters/convert/typed_store.h), and for products that take their operands in
// bfloat16 from registers. Emits to the vocabulary's assembler; see jit/emitters/vec.h for errors and threads.
#ifndef BURIN_JIT_EMITTERS_CONVERT_BFLOAT16_H_
#define BURIN_JIT_EMITTERS_CONVERT_BFLOAT16_H_

#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Replaces floats by bfloat16 codes in 16-bit lanes, in the lower half of each register, rounded to nearest, ties to
// even; overflow gives infinity. Denormals round like the rest; a NaN becomes quiet, of the same sign and leading
// payload bits. Uses 1 vector register, a few for the group, and 1 or 2 masks with VecAvx512.
//
// Method: the code is the upper half of the float after (half a unit in its last place, less one, plus its last bit)
// was added. vcvtneps2bf16, where the machine has it, takes denormals for zeros: it serves where no element is one,
// which the code asks once a group.
template <class V>
void EmitConvertF32ToBF16(V& v, const VecGroup& x);

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_CONVERT_BFLOAT16_H_
