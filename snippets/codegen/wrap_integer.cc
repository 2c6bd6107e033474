#include "snippets/codegen/wrap_integer.h"

#include <cstdint>

#include "base/element_type.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::snippets {

template <class V>
void EmitWrap(V& v, const jit::VecGroup& x, ElementType type) {
  const int bits = static_cast<int>(BitWidth(type));
  if (type == ElementType::kBoolean || bits >= 32) return;
  const auto shift = static_cast<uint8_t>(32 - bits);
  v.ShiftLeftI32(x, x, shift);
  if (KindOf(type) == ElementKind::kSignedInteger) {
    v.ShiftRightI32(x, x, shift);
  } else {
    v.ShiftRightU32(x, x, shift);
  }
}

template void EmitWrap(jit::VecAvx2&, const jit::VecGroup&, ElementType);
template void EmitWrap(jit::VecAvx512&, const jit::VecGroup&, ElementType);

}  // namespace burin::snippets
