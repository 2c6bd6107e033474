// Stores the low bits of the lanes of vectors as elements of 1 to 8 bytes, without interpreting them.
//
// The mechanism of typed stores (jit/emitters/convert/typed_store.h), which is what other code calls. Emits to the
// vocabulary's assembler; see jit/emitters/vec.h for errors and threads.
#ifndef BURIN_JIT_EMITTERS_MEMORY_RAW_STORE_H_
#define BURIN_JIT_EMITTERS_MEMORY_RAW_STORE_H_

#include <cstdint>

#include "jit/asm/operands.h"
#include "jit/emitters/memory/vec_part.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit::internal {

// Says where elements go: consecutive vectors from an address on, the last of them perhaps a part.
template <class V>
struct RawDestination {
  const Address& to;
  const VecPart<V>& part;
};

// Says how an integer of 32 bits becomes one of 8 or 16.
enum class Narrowing : uint8_t {
  kWrap,              // By its lowest bits.
  kSaturate,          // As the nearest signed integer.
  kSaturateUnsigned,  // As the nearest unsigned integer; what is negative as 0.
};

// Narrows the 32-bit lanes to lanes of `bytes` = 1 or 2 bytes at the low end of each register.
template <class V>
void EmitNarrow(V& v, int bytes, Narrowing narrowing, const VecGroup& x);

// Stores the 32-bit lanes as elements of `bytes` = 1, 2 or 4 bytes; `narrowing` says how for fewer than 4. Changes
// `from`.
template <class V>
void EmitStoreDwords(V& v, const RawDestination<V>& destination, int bytes, Narrowing narrowing, const VecGroup& from);

// Stores floats as binary16, rounded to nearest, ties to even; a NaN becomes quiet, of the same sign and leading
// payload bits. Changes `from`.
template <class V>
void EmitStoreF16(V& v, const RawDestination<V>& destination, const VecGroup& from);

// Stores the 16-bit lanes in the lower half of vector `index` of `count`. Changes `from`.
template <class V>
void EmitStoreWords(V& v, const RawDestination<V>& destination, int index, int count, const Xmm& from);

// Stores elements of 8 bytes as vector `index` of `count`: the lower half of the elements from `low`, the upper from
// `high`.
template <class V>
void EmitStoreQwords(V& v, const RawDestination<V>& destination, int index, int count, const Xmm& low, const Xmm& high);

}  // namespace burin::jit::internal

#endif  // BURIN_JIT_EMITTERS_MEMORY_RAW_STORE_H_
