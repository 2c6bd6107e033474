#include "jit/emitters/convert/round_float.h"

#include <cstdint>

#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/emitters/convert/bfloat16.h"
#include "jit/emitters/memory/raw_load.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {

template <class V>
void EmitRoundToF16(V& v, const VecGroup& x) {
  constexpr uint8_t kToNearestEven = 0;
  for (int i = 0; i < x.size(); ++i) v.code().vcvtps2ph(internal::HalfOf(x[i]), x[i], kToNearestEven);
  for (int i = 0; i < x.size(); ++i) v.code().vcvtph2ps(x[i], internal::HalfOf(x[i]));
}

template <class V>
void EmitRoundToBF16(V& v, const VecGroup& x) {
  EmitConvertF32ToBF16(v, x);
  for (int i = 0; i < x.size(); ++i) v.code().vpmovzxwd(x[i], internal::HalfOf(x[i]));
  v.ShiftLeftI32(x, x, 16);
}

template void EmitRoundToF16(VecAvx2&, const VecGroup&);
template void EmitRoundToF16(VecAvx512&, const VecGroup&);
template void EmitRoundToBF16(VecAvx2&, const VecGroup&);
template void EmitRoundToBF16(VecAvx512&, const VecGroup&);

}  // namespace burin::jit
