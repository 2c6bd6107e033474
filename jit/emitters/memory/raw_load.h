// Loads the codes of elements of 1 to 8 bytes into the lanes of vectors, without interpreting them.
//
// The mechanism of typed loads (jit/emitters/convert/typed_load.h), which is what other code calls. Emits to the
// vocabulary's assembler; see jit/emitters/vec.h for errors and threads.
#ifndef BURIN_JIT_EMITTERS_MEMORY_RAW_LOAD_H_
#define BURIN_JIT_EMITTERS_MEMORY_RAW_LOAD_H_

#include "jit/asm/operands.h"
#include "jit/emitters/memory/vec_part.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit::internal {

// Says where the codes are: those of consecutive vectors from an address on, the last of them perhaps a part; or a
// single one for all lanes.
template <class V>
struct RawSource {
  const Address& from;
  const VecPart<V>& part;
  bool broadcast = false;
};

// Return the registers in which half or a quarter of a vector of 32-bit lanes lies: those of 16-bit and 8-bit lanes.
Xmm HalfOf(const Xmm& vec);
Xmm QuarterOf(const Xmm& vec);

// Loads elements of `bytes` = 1, 2 or 4 bytes into 32-bit lanes, extended with the sign or zeros. Lanes that are not in
// the part are 0.
template <class V>
void EmitLoadDwords(V& v, const RawSource<V>& source, int bytes, bool is_signed, const VecGroup& to);

// Loads elements of `bytes` = 1 or 2 bytes into 16-bit lanes, in the lower half of each register of `to`, extended with
// the sign. Lanes that are not in the part are 0.
template <class V>
void EmitLoadWords(V& v, const RawSource<V>& source, int bytes, const VecGroup& to);

// Loads binary16 elements as floats: signalling NaNs become quiet. Lanes that are not in the part are 0.
template <class V>
void EmitLoadF16(V& v, const RawSource<V>& source, const VecGroup& to);

// Loads elements of 8 bytes of vector `index` of `count`: the lower half of the elements into `low`, the upper into
// `high`. Elements that are not in the part are 0.
template <class V>
void EmitLoadQwords(V& v, const RawSource<V>& source, int index, int count, const Xmm& low, const Xmm& high);

}  // namespace burin::jit::internal

#endif  // BURIN_JIT_EMITTERS_MEMORY_RAW_LOAD_H_
