#include "jit/emitters/activation/sigmoid.h"

#include <cstdint>
#include <limits>

#include "jit/emitters/elementary/exp.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
template <class V>
void EmitSigmoid(V& v, const VecGroup& x) {
  const typename V::Mask negative = v.NewMask("negative", x.size());
  v.MaskOfSigns(negative, x);
  v.Or(x, x, v.Const(std::numeric_limits<int32_t>::min()));
  EmitExpOfNonPositive(v, x);
  const VecRegs numerator = v.New("numerator", x.size());
  const VecRegs denominator = v.New("denominator", x.size());
  {
    const VecReg one = v.ConstReg(1.0f);
    v.Add(denominator, x, one);
    v.Select(numerator, negative, x, one);
  }
  v.DivFast(x, numerator, denominator);
}

template void EmitSigmoid(VecAvx2&, const VecGroup&);
template void EmitSigmoid(VecAvx512&, const VecGroup&);

}  // namespace burin::jit
