#include "jit/emitters/activation/mish.h"

#include "jit/emitters/activation/exp_gate.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {

template <class V>
void EmitMish(V& v, const VecGroup& x) {
  const VecRegs p = v.New("mish_p", x.size());
  const VecRegs e = v.New("mish_e", x.size());
  const typename V::Mask negative = v.NewMask("negative", x.size());
  v.MaskOfSigns(negative, x);
  EmitExpGate(v, x, negative, 1.0f, p, e);
  const VecRegs factor = v.New("mish_factor", x.size());
  const VecRegs denominator = v.New("denominator", x.size());
  {
    const VecReg one = v.ConstReg(1.0f);
    v.Add(factor, e, one);
    v.Add(denominator, e, e);
    v.Select(factor, negative, factor, denominator);
    v.Add(denominator, factor, one);
    v.MulAdd(denominator, e, factor);
    v.Mul(e, e, factor);
    v.Select(p, negative, p, one);
  }
  v.DivFast(factor, e, denominator);
  v.NegativeScaleAdd(factor, p, p);
  v.Mul(x, x, factor);
}

template void EmitMish(VecAvx2&, const VecGroup&);
template void EmitMish(VecAvx512&, const VecGroup&);

}  // namespace burin::jit
