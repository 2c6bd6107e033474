// Emits loads and stores of elements of 8 bytes, converted to and from 32-bit lanes.
//
// The mechanism of typed loads and stores (jit/emitters/convert/typed_load.h, typed_store.h), which are what other code
// calls. `type` is i64, u64 or f64 (BURIN_CHECK). Emits to the vocabulary's assembler; see jit/emitters/vec.h for
// errors and threads.
#ifndef BURIN_JIT_EMITTERS_CONVERT_WIDE_ELEMENTS_H_
#define BURIN_JIT_EMITTERS_CONVERT_WIDE_ELEMENTS_H_

#include "base/element_type.h"
#include "jit/emitters/memory/raw_load.h"
#include "jit/emitters/memory/raw_store.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit::internal {

// Loads elements as floats, rounded once, to nearest, ties to even. Vector by vector, with up to 6 vector registers.
template <class V>
void EmitLoadWideAsF32(V& v, ElementType type, const RawSource<V>& source, const VecGroup& to);

// Loads elements as integers: those of 64 bits by their lowest 32, floats truncated and saturated, NaN as 0.
template <class V>
void EmitLoadWideAsI32(V& v, ElementType type, const RawSource<V>& source, const VecGroup& to);

// Stores floats: exactly as floats; as integers rounded as `rounding` says and saturated, NaN as 0. Changes `from`.
// Vector by vector, with up to 8 vector registers.
template <class V>
void EmitStoreF32AsWide(V& v, ElementType type, const RawDestination<V>& destination, VecRounding rounding,
                        const VecGroup& from);

// Stores integers: exactly, but as u64 what is negative wraps, or gives 0 where `saturate` is set. Changes `from`.
template <class V>
void EmitStoreI32AsWide(V& v, ElementType type, const RawDestination<V>& destination, bool saturate,
                        const VecGroup& from);

}  // namespace burin::jit::internal

#endif  // BURIN_JIT_EMITTERS_CONVERT_WIDE_ELEMENTS_H_
