#include "jit/emitters/arithmetic/abs.h"

#include <cstdint>

#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {

template <class V>
void EmitAbs(V& v, const VecGroup& x) {
  v.And(x, x, v.Const(int32_t{0x7fffffff}));
}

template <class V>
void EmitAbsI32(V& v, const VecGroup& x) {
  v.AbsI32(x, x);
}

template void EmitAbs(VecAvx2&, const VecGroup&);
template void EmitAbs(VecAvx512&, const VecGroup&);
template void EmitAbsI32(VecAvx2&, const VecGroup&);
template void EmitAbsI32(VecAvx512&, const VecGroup&);

}  // namespace burin::jit
