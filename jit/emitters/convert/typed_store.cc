#include "jit/emitters/convert/typed_store.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/emitters/convert/bfloat16.h"
#include "jit/emitters/convert/float8.h"
#include "jit/emitters/convert/float_integer.h"
#include "jit/emitters/convert/wide_elements.h"
#include "jit/emitters/memory/raw_store.h"
#include "jit/emitters/memory/vec_part.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

using internal::Narrowing;
using internal::RawDestination;

void Refuse(Assembler& code, ElementType type) {
  code.Fail(absl::UnimplementedError(absl::StrCat("a vector store of elements of type ", Name(type))));
}

// Stores floats as a float type of at most 32 bits.
template <class V>
void StoreFloat(V& v, ElementType type, const RawDestination<V>& destination, const VecGroup& from,
                const StoreOptions& options) {
  switch (type) {
    case ElementType::kF32:
      return internal::EmitStoreDwords(v, destination, 4, Narrowing::kWrap, from);
    case ElementType::kF16:
      return internal::EmitStoreF16(v, destination, from);
    case ElementType::kBf16:
      EmitConvertF32ToBF16(v, from);
      for (int i = 0; i < from.size(); ++i) internal::EmitStoreWords(v, destination, i, from.size(), from[i]);
      return;
    default:
      internal::EmitConvertF32ToF8(v, type, options.f8_overflow, options.f8e8m0_rounding, from);
      return internal::EmitStoreDwords(v, destination, 1, Narrowing::kWrap, from);
  }
}

// Stores floats as an integer type of at most 32 bits.
template <class V>
void StoreFloatAsInteger(V& v, ElementType type, const RawDestination<V>& destination, const VecGroup& from,
                         const StoreOptions& options) {
  const int bits = BitWidth(type);
  const bool is_signed = IsSignedInteger(type);
  if (bits < 32) {
    EmitConvertF32ToNarrow(v, from, options.rounding, bits, is_signed);
  } else if (is_signed) {
    EmitConvertF32ToI32(v, from, options.rounding);
  } else {
    EmitConvertF32ToU32(v, from, options.rounding);
  }
  internal::EmitStoreDwords(v, destination, bits / 8, is_signed ? Narrowing::kSaturate : Narrowing::kWrap, from);
}

// Stores integers as a float type of at most 32 bits.
template <class V>
void StoreIntegerAsFloat(V& v, ElementType type, const RawDestination<V>& destination, const VecGroup& from,
                         const StoreOptions& options) {
  // The other types have fewer exponents than a float has bits: what it rounds is too large for them.
  if (type == ElementType::kBf16 || type == ElementType::kF8E8M0) {
    EmitConvertI32ToF32ForNarrowing(v, from);
  } else {
    EmitConvertI32ToF32(v, from);
  }
  StoreFloat(v, type, destination, from, options);
}

// Stores integers as an integer type of at most 32 bits.
template <class V>
void StoreInteger(V& v, ElementType type, const RawDestination<V>& destination, const VecGroup& from,
                  const StoreOptions& options) {
  const bool saturate = options.integer_overflow == IntegerOverflow::kSaturate;
  if (type == ElementType::kU32 && saturate) v.MaxI32(from, from, v.Const(0));
  Narrowing narrowing = Narrowing::kWrap;
  if (saturate) narrowing = IsSignedInteger(type) ? Narrowing::kSaturate : Narrowing::kSaturateUnsigned;
  internal::EmitStoreDwords(v, destination, BitWidth(type) / 8, narrowing, from);
}

}  // namespace

template <class V>
void EmitStoreF32As(V& v, ElementType type, const Address& to, const VecGroup& from, const StoreOptions& options,
                    const VecPart<V>& part) {
  const RawDestination<V> destination = {to, part};
  if (BitWidth(type) < 8) return Refuse(v.code(), type);
  if (BitWidth(type) == 64) return internal::EmitStoreF32AsWide(v, type, destination, options.rounding, from);
  if (IsFloat(type)) return StoreFloat(v, type, destination, from, options);
  if (IsInteger(type)) return StoreFloatAsInteger(v, type, destination, from, options);
  EmitConvertF32ToBoolean(v, from);
  internal::EmitStoreDwords(v, destination, 1, Narrowing::kWrap, from);
}

template <class V>
void EmitStoreI32As(V& v, ElementType type, const Address& to, const VecGroup& from, const StoreOptions& options,
                    const VecPart<V>& part) {
  const RawDestination<V> destination = {to, part};
  const bool saturate = options.integer_overflow == IntegerOverflow::kSaturate;
  if (BitWidth(type) < 8) return Refuse(v.code(), type);
  if (BitWidth(type) == 64) return internal::EmitStoreI32AsWide(v, type, destination, saturate, from);
  if (IsFloat(type)) return StoreIntegerAsFloat(v, type, destination, from, options);
  if (IsInteger(type)) return StoreInteger(v, type, destination, from, options);
  EmitConvertI32ToBoolean(v, from);
  internal::EmitStoreDwords(v, destination, 1, Narrowing::kWrap, from);
}

template void EmitStoreF32As(VecAvx2&, ElementType, const Address&, const VecGroup&, const StoreOptions&,
                             const VecPart<VecAvx2>&);
template void EmitStoreF32As(VecAvx512&, ElementType, const Address&, const VecGroup&, const StoreOptions&,
                             const VecPart<VecAvx512>&);
template void EmitStoreI32As(VecAvx2&, ElementType, const Address&, const VecGroup&, const StoreOptions&,
                             const VecPart<VecAvx2>&);
template void EmitStoreI32As(VecAvx512&, ElementType, const Address&, const VecGroup&, const StoreOptions&,
                             const VecPart<VecAvx512>&);

}  // namespace burin::jit
