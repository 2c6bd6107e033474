#include "jit/emitters/arithmetic/sign.h"

#include <cstdint>
#include <limits>

#include "jit/asm/reg_pool.h"
#include "jit/emitters/arithmetic/extremes.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {

template <class V>
void EmitSign(V& v, const VecGroup& x) {
  const VecRegs sign = v.New("sign", x.size());
  // Zeros and NaN, whose magnitude is not above 0.
  const typename V::Mask stay = v.NewMask("stay", x.size());
  v.And(sign, x, v.Const(std::numeric_limits<int32_t>::max()));
  v.Compare(stay, sign, v.Const(0.0f), VecCompare::kNotGreater);
  v.And(sign, x, v.Const(std::numeric_limits<int32_t>::min()));
  v.Or(sign, sign, v.Const(1.0f));
  v.Select(x, stay, x, sign);
}

template <class V>
void EmitSignI32(V& v, const VecGroup& x) {
  EmitClampI32(v, x, -1, 1);
}

template void EmitSign(VecAvx2&, const VecGroup&);
template void EmitSign(VecAvx512&, const VecGroup&);
template void EmitSignI32(VecAvx2&, const VecGroup&);
template void EmitSignI32(VecAvx512&, const VecGroup&);

}  // namespace burin::jit
