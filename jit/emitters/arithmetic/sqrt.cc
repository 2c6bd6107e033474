#include "jit/emitters/arithmetic/sqrt.h"

#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {

template <class V>
void EmitSqrt(V& v, const VecGroup& x) {
  v.Sqrt(x, x);
}

template void EmitSqrt(VecAvx2&, const VecGroup&);
template void EmitSqrt(VecAvx512&, const VecGroup&);

}  // namespace burin::jit
