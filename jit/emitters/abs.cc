#include "jit/emitters/abs.h"

#include <cstdint>

#include "jit/asm/operands.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"

namespace burin::jit {

template <class V>
void EmitAbs(V& v, const Xmm& x) {
  v.And(x, x, v.Const(int32_t{0x7fffffff}));
}

template void EmitAbs(VecAvx2&, const Xmm&);
template void EmitAbs(VecAvx512&, const Xmm&);

}  // namespace burin::jit
