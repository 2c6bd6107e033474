#include "jit/emitters/elementary/tanh.h"

#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

// Where the result is less than half of an ulp from 1.
constexpr float kHighest = 9.02f;
// From the constant term on; the greatest relative error of the quotient is 7.1e-9.
constexpr float kNumerator[] = {
    1.0f, 0.130849332f, 0.00310494867f, 1.11636036e-05f, -2.02564365e-08f, 5.28950113e-11f, -8.5097741e-14f};
constexpr float kDenominator[] = {1.0f, 0.464182615f, 0.0244992375f, 0.000254752638f};

}  // namespace

template <class V>
void EmitTanh(V& v, const VecGroup& x) {
  const VecRegs square = v.New("square", x.size());
  const VecRegs p = v.New("tanh_p", x.size());
  const VecRegs q = v.New("tanh_q", x.size());
  // In this order of operands, NaN stays.
  v.Min(x, v.ConstReg(kHighest), x);
  v.Max(x, v.ConstReg(-kHighest), x);
  v.Mul(square, x, x);
  v.BroadcastConst(p, kNumerator[6]);
  for (int i = 5; i >= 0; --i) v.ScaleAdd(p, square, v.Const(kNumerator[i]));
  v.BroadcastConst(q, kDenominator[3]);
  for (int i = 2; i >= 0; --i) v.ScaleAdd(q, square, v.Const(kDenominator[i]));
  v.Mul(p, p, x);
  v.Div(x, p, q);
  // Rounding can lead past 1.
  v.Min(x, v.ConstReg(1.0f), x);
  v.Max(x, v.ConstReg(-1.0f), x);
}

template void EmitTanh(VecAvx2&, const VecGroup&);
template void EmitTanh(VecAvx512&, const VecGroup&);

}  // namespace burin::jit
