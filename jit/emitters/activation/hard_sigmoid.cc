#include "jit/emitters/activation/hard_sigmoid.h"

#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

// Of 1 / 6; 3 and 6 times it round to 1/2 and 1.
constexpr float kSixth = 0x1.555556p-3f;

// Replaces x by max(0, min(highest, x)); NaN stays, by the order of operands.
template <class V>
void ClampFromZero(V& v, const VecGroup& x, float highest) {
  v.Min(x, v.ConstReg(highest), x);
  v.Max(x, v.ConstReg(0.0f), x);
}

}  // namespace

template <class V>
void EmitHardSigmoid(V& v, const VecGroup& x, float alpha, float beta) {
  v.ScaleAdd(x, v.ConstReg(alpha), v.Const(beta));
  ClampFromZero(v, x, 1.0f);
}

template <class V>
void EmitHSigmoid(V& v, const VecGroup& x) {
  // The sum before the product: near -3 it is exact.
  v.Add(x, x, v.Const(3.0f));
  ClampFromZero(v, x, 6.0f);
  v.Mul(x, x, v.Const(kSixth));
}

template <class V>
void EmitHSwish(V& v, const VecGroup& x) {
  const VecRegs gate = v.New("gate", x.size());
  v.Copy(gate, x);
  EmitHSigmoid(v, gate);
  v.Mul(x, x, gate);
}

template void EmitHardSigmoid(VecAvx2&, const VecGroup&, float, float);
template void EmitHardSigmoid(VecAvx512&, const VecGroup&, float, float);
template void EmitHSigmoid(VecAvx2&, const VecGroup&);
template void EmitHSigmoid(VecAvx512&, const VecGroup&);
template void EmitHSwish(VecAvx2&, const VecGroup&);
template void EmitHSwish(VecAvx512&, const VecGroup&);

}  // namespace burin::jit
