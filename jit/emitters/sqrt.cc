#include "jit/emitters/sqrt.h"

#include "jit/asm/operands.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"

namespace burin::jit {

template <class V>
void EmitSqrt(V& v, const Xmm& x) {
  v.Sqrt(x, x);
}

template void EmitSqrt(VecAvx2&, const Xmm&);
template void EmitSqrt(VecAvx512&, const Xmm&);

}  // namespace burin::jit
