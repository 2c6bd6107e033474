#include "jit/emitters/convert/typed_load.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/element_type.h"
#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/emitters/convert/float8.h"
#include "jit/emitters/convert/float_integer.h"
#include "jit/emitters/convert/wide_elements.h"
#include "jit/emitters/memory/raw_load.h"
#include "jit/emitters/memory/vec_part.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

using internal::RawSource;

void Refuse(Assembler& code, ElementType type) {
  code.Fail(absl::UnimplementedError(absl::StrCat("a vector load of elements of type ", Name(type))));
}

// Loads a float type of 16 or 32 bits, or 8.
template <class V>
void LoadFloat(V& v, ElementType type, const RawSource<V>& source, const VecGroup& to) {
  switch (type) {
    case ElementType::kF32:
      return internal::EmitLoadDwords(v, source, 4, false, to);
    case ElementType::kF16:
      return internal::EmitLoadF16(v, source, to);
    case ElementType::kBf16:
      internal::EmitLoadDwords(v, source, 2, false, to);
      return v.ShiftLeftI32(to, to, 16);
    default:
      return internal::EmitLoadF8(v, type, source, to);
  }
}

// Loads an integer or boolean type of at most 32 bits.
template <class V>
void LoadInteger(V& v, ElementType type, const RawSource<V>& source, const VecGroup& to) {
  internal::EmitLoadDwords(v, source, BitWidth(type) / 8, IsSignedInteger(type), to);
  if (type == ElementType::kBoolean) EmitConvertI32ToBoolean(v, to);
}

template <class V>
void LoadAsF32(V& v, ElementType type, const RawSource<V>& source, const VecGroup& to) {
  if (BitWidth(type) < 8) return Refuse(v.code(), type);
  if (BitWidth(type) == 64) return internal::EmitLoadWideAsF32(v, type, source, to);
  if (IsFloat(type)) return LoadFloat(v, type, source, to);
  LoadInteger(v, type, source, to);
  if (type == ElementType::kU32) {
    EmitConvertU32ToF32(v, to);
  } else {
    EmitConvertI32ToF32(v, to);
  }
}

template <class V>
void LoadAsI32(V& v, ElementType type, const RawSource<V>& source, const VecGroup& to) {
  if (BitWidth(type) < 8) return Refuse(v.code(), type);
  if (BitWidth(type) == 64) return internal::EmitLoadWideAsI32(v, type, source, to);
  if (!IsFloat(type)) return LoadInteger(v, type, source, to);
  LoadFloat(v, type, source, to);
  EmitConvertF32ToI32(v, to, VecRounding::kTowardsZero);
}

}  // namespace

template <class V>
void EmitLoadAsF32(V& v, ElementType type, const VecGroup& to, const Address& from, const VecPart<V>& part) {
  LoadAsF32(v, type, RawSource<V>{from, part}, to);
}

template <class V>
void EmitLoadAsI32(V& v, ElementType type, const VecGroup& to, const Address& from, const VecPart<V>& part) {
  LoadAsI32(v, type, RawSource<V>{from, part}, to);
}

template <class V>
void EmitBroadcastAsF32(V& v, ElementType type, const Xmm& to, const Address& from) {
  LoadAsF32(v, type, RawSource<V>{from, VecPart<V>(), /*broadcast=*/true}, to);
}

template <class V>
void EmitBroadcastAsI32(V& v, ElementType type, const Xmm& to, const Address& from) {
  LoadAsI32(v, type, RawSource<V>{from, VecPart<V>(), /*broadcast=*/true}, to);
}

template void EmitLoadAsF32(VecAvx2&, ElementType, const VecGroup&, const Address&, const VecPart<VecAvx2>&);
template void EmitLoadAsF32(VecAvx512&, ElementType, const VecGroup&, const Address&, const VecPart<VecAvx512>&);
template void EmitLoadAsI32(VecAvx2&, ElementType, const VecGroup&, const Address&, const VecPart<VecAvx2>&);
template void EmitLoadAsI32(VecAvx512&, ElementType, const VecGroup&, const Address&, const VecPart<VecAvx512>&);
template void EmitBroadcastAsF32(VecAvx2&, ElementType, const Xmm&, const Address&);
template void EmitBroadcastAsF32(VecAvx512&, ElementType, const Xmm&, const Address&);
template void EmitBroadcastAsI32(VecAvx2&, ElementType, const Xmm&, const Address&);
template void EmitBroadcastAsI32(VecAvx512&, ElementType, const Xmm&, const Address&);

}  // namespace burin::jit
