#include "jit/emitters/relu.h"

#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"

namespace burin::jit {

template <class V>
void EmitRelu(V& v, const Xmm& x) {
  const VecReg zero = v.New("zero");
  v.Zero(zero);
  // Of two zeros, and where one is NaN, the result is the second.
  v.Max(x, zero, x);
}

template void EmitRelu(VecAvx2&, const Xmm&);
template void EmitRelu(VecAvx512&, const Xmm&);

}  // namespace burin::jit
