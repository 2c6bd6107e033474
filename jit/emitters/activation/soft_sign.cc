#include "jit/emitters/activation/soft_sign.h"

#include <cstdint>
#include <limits>

#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {

template <class V>
void EmitSoftSign(V& v, const VecGroup& x) {
  const VecRegs denominator = v.New("denominator", x.size());
  v.And(denominator, x, v.Const(std::numeric_limits<int32_t>::max()));
  v.Add(denominator, denominator, v.Const(1.0f));
  // Its reciprocal may be denormal, which the fast division is not for.
  v.Div(x, x, denominator);
}

template void EmitSoftSign(VecAvx2&, const VecGroup&);
template void EmitSoftSign(VecAvx512&, const VecGroup&);

}  // namespace burin::jit
