#include "jit/emitters/negative.h"

#include <cstdint>
#include <limits>

#include "jit/asm/operands.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"

namespace burin::jit {

template <class V>
void EmitNegative(V& v, const Xmm& x) {
  v.Xor(x, x, v.Const(std::numeric_limits<int32_t>::min()));
}

template void EmitNegative(VecAvx2&, const Xmm&);
template void EmitNegative(VecAvx512&, const Xmm&);

}  // namespace burin::jit
