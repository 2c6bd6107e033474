#include "jit/emitters/activation/relu.h"

#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {

template <class V>
void EmitRelu(V& v, const VecGroup& x) {
  const VecReg zero = v.New("zero");
  v.Zero(zero);
  // Of two zeros, and where one is NaN, the result is the second.
  v.Max(x, zero, x);
}

template void EmitRelu(VecAvx2&, const VecGroup&);
template void EmitRelu(VecAvx512&, const VecGroup&);

}  // namespace burin::jit
