// Emits stores of vectors of floats or of 32-bit integers as elements of any type.
//
// Use it wherever an emitted loop writes a tensor whose type is a parameter: whole vectors, or the first elements of
// the last one (jit/emitters/memory/vec_part.h). With the options of Convert the result is that of Convert to the
// element's type, bit for bit. Types below 8 bits, which share bytes, are not stored here.
//
// A typed load and a typed store together are Convert between two types in memory where 32 bits hold what decides the
// result: f32 and narrower floats to any type through f32; integers of up to 32 bits and booleans to any type through
// i32, but u32 to floats (through f32, and not to bf16 or f8e8m0) and to types of 64 bits; i64 and u64 to integers of
// up to 32 bits through i32. The rest would be rounded twice: f64, i64 and u64 to narrower floats, and types of 64 bits
// to each other.
//
// Emits to the vocabulary's assembler; see jit/emitters/vec.h for errors and threads. A type that is not supported is
// an error of the assembler: Unimplemented.
#ifndef BURIN_JIT_EMITTERS_CONVERT_TYPED_STORE_H_
#define BURIN_JIT_EMITTERS_CONVERT_TYPED_STORE_H_

#include <cstdint>

#include "base/element_type.h"
#include "base/float_conversion.h"
#include "jit/asm/operands.h"
#include "jit/emitters/memory/vec_part.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {

// Says what a 32-bit integer becomes that an integer type cannot hold.
enum class IntegerOverflow : uint8_t {
  kWrap,      // Its lowest bits.
  kSaturate,  // The nearest integer of the type.
};

// Says how values are converted that the element's type cannot hold. A float that becomes an integer saturates in any
// case, infinities included, and NaN gives 0.
struct StoreOptions {
  // Of floats to integers.
  VecRounding rounding = VecRounding::kTowardsZero;
  // Of integers to integers.
  IntegerOverflow integer_overflow = IntegerOverflow::kWrap;
  // To 8-bit floats: the `saturate` of Convert and ONNX's Cast.
  Overflow f8_overflow = Overflow::kSaturate;
  // To f8e8m0: the `round_mode` of Convert and ONNX's Cast.
  PowerOfTwoRounding f8e8m0_rounding = PowerOfTwoRounding::kUp;

  // Returns the options of Convert: floats are truncated, integers wrap.
  static StoreOptions Convert() { return {}; }
  // Returns those of quantisation: floats are rounded to nearest, ties to even; integers saturate.
  static StoreOptions Quantize() { return {VecRounding::kNearestEven, IntegerOverflow::kSaturate}; }
};

// Stores consecutive vectors as elements of `type`, which is a number or boolean of at least 8 bits, to memory of any
// alignment. `part` says which elements of the last vector are stored. Changes `from`.
//
// Floats: to float types rounded once, to nearest, ties to even; f16 and bf16 overflow to infinity, the 8-bit types as
// the options say; a NaN becomes a quiet one. Integers: to float types likewise. To boolean: 1 for all but zeros, NaN
// included.
//
// Uses no vector register for f32, i32, u32 and f16, 1 or 2 a vector and one more for bf16 and integers of 8 and 16
// bits, 2 or 3 a vector and up to 2 more for 8-bit floats, and up to 8 for elements of 8 bytes; at most 1 mask a
// vector, and at least 2 for bf16. Groups of 6 fit into the registers of VecAvx512, groups of 2 into those of VecAvx2.
template <class V>
void EmitStoreF32As(V& v, ElementType type, const Address& to, const VecGroup& from, const StoreOptions& options,
                    const VecPart<V>& part = {});
template <class V>
void EmitStoreI32As(V& v, ElementType type, const Address& to, const VecGroup& from, const StoreOptions& options,
                    const VecPart<V>& part = {});

}  // namespace burin::jit

#endif  // BURIN_JIT_EMITTERS_CONVERT_TYPED_STORE_H_
