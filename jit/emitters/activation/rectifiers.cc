#include "jit/emitters/activation/rectifiers.h"

#include "jit/emitters/vec.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {

template <class V>
void EmitPRelu(V& v, const VecGroup& x, const VecSource& slope) {
  const VecRegs scaled = v.New("scaled", x.size());
  const typename V::Mask negative = v.NewMask("negative", x.size());
  v.Mul(scaled, x, slope);
  v.Compare(negative, x, v.Const(0.0f), VecCompare::kLess);
  v.Select(x, negative, scaled, x);
}

template <class V>
void EmitLeakyRelu(V& v, const VecGroup& x, float alpha) {
  if (!(alpha > 0 && alpha <= 1)) {
    EmitPRelu(v, x, v.Const(alpha));
    return;
  }
  const VecRegs scaled = v.New("scaled", x.size());
  v.Mul(scaled, x, v.Const(alpha));
  // Of two zeros, and where one is NaN, the result is the second.
  v.Max(x, scaled, x);
}

template <class V>
void EmitThresholdedRelu(V& v, const VecGroup& x, float alpha) {
  const typename V::Mask above = v.NewMask("above", x.size());
  const VecReg zero = v.New("zero");
  v.Zero(zero);
  v.Compare(above, x, v.Const(alpha), VecCompare::kGreater);
  v.Select(x, above, x, zero);
}

template <class V>
void EmitShrink(V& v, const VecGroup& x, float bias, float lambd) {
  const VecRegs shrunk = v.New("shrunk", x.size());
  const VecRegs result = v.New("result", x.size());
  const typename V::Mask mask = v.NewMask("outside", x.size());
  v.Zero(result);
  v.Sub(shrunk, x, v.Const(bias));
  v.Compare(mask, x, v.Const(lambd), VecCompare::kGreater);
  v.Select(result, mask, shrunk, result);
  v.Add(shrunk, x, v.Const(bias));
  v.Compare(mask, x, v.Const(-lambd), VecCompare::kLess);
  v.Select(x, mask, shrunk, result);
}

template void EmitPRelu(VecAvx2&, const VecGroup&, const VecSource&);
template void EmitPRelu(VecAvx512&, const VecGroup&, const VecSource&);
template void EmitLeakyRelu(VecAvx2&, const VecGroup&, float);
template void EmitLeakyRelu(VecAvx512&, const VecGroup&, float);
template void EmitThresholdedRelu(VecAvx2&, const VecGroup&, float);
template void EmitThresholdedRelu(VecAvx512&, const VecGroup&, float);
template void EmitShrink(VecAvx2&, const VecGroup&, float, float);
template void EmitShrink(VecAvx512&, const VecGroup&, float, float);

}  // namespace burin::jit
