#include "jit/emitters/arithmetic/negative.h"

#include <cstdint>
#include <limits>

#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {

template <class V>
void EmitNegative(V& v, const VecGroup& x) {
  v.Xor(x, x, v.Const(std::numeric_limits<int32_t>::min()));
}

template <class V>
void EmitNegativeI32(V& v, const VecGroup& x) {
  v.SubI32(x, v.ConstReg(int32_t{0}), x);
}

template void EmitNegative(VecAvx2&, const VecGroup&);
template void EmitNegative(VecAvx512&, const VecGroup&);
template void EmitNegativeI32(VecAvx2&, const VecGroup&);
template void EmitNegativeI32(VecAvx512&, const VecGroup&);

}  // namespace burin::jit
