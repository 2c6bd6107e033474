#include "jit/emitters/activation/swish.h"

#include <cmath>
#include <cstdint>
#include <limits>

#include "jit/emitters/activation/exp_gate.h"
#include "jit/emitters/activation/sigmoid.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {

template <class V>
void EmitSwish(V& v, const VecGroup& x, float beta) {
  const VecRegs p = v.New("swish_p", x.size());
  const float factor = std::fabs(beta);
  if (!(factor >= kExpGateLowestFactor && factor <= kExpGateHighestFactor)) {
    v.Mul(p, x, v.Const(beta));
    EmitSigmoid(v, p);
    v.Mul(x, x, p);
    return;
  }
  const VecRegs e = v.New("swish_e", x.size());
  const typename V::Mask decays = v.NewMask("decays", x.size());
  if (beta > 0) {
    v.MaskOfSigns(decays, x);
  } else {
    v.Xor(e, x, v.Const(std::numeric_limits<int32_t>::min()));
    v.MaskOfSigns(decays, e);
  }
  EmitExpGate(v, x, decays, factor, p, e);
  {
    const VecReg one = v.ConstReg(1.0f);
    v.Add(e, e, one);
    v.Select(p, decays, p, one);
  }
  const VecRegs gate = v.New("gate", x.size());
  v.DivFast(gate, p, e);
  v.Mul(x, x, gate);
}

template void EmitSwish(VecAvx2&, const VecGroup&, float);
template void EmitSwish(VecAvx512&, const VecGroup&, float);

}  // namespace burin::jit
