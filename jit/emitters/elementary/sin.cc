#include "jit/emitters/elementary/sin.h"

#include "jit/emitters/elementary/reduce_angle.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

// Of r^3, r^5, r^7 and r^9; the greatest relative error of the sine is 1.29e-8. That of the float nearest to pi / 2
// is 1.
constexpr float kCoefficients[] = {-0.166666538f, 0.00833291747f, -0.000197988498f, 2.58251703e-06f};

}  // namespace

template <class V>
void EmitSinOfReduced(V& v, const VecGroup& r, const VecGroup& odd, const VecGroup& spare) {
  const VecRegs p = v.New("sin_p", r.size());
  v.Mul(spare, r, r);
  v.BroadcastConst(p, kCoefficients[3]);
  for (int i = 2; i >= 0; --i) v.ScaleAdd(p, spare, v.Const(kCoefficients[i]));
  // Not a product, whose zero is negative: added to -0, that times -0 would make +0 of it.
  v.ScaleAdd(p, spare, v.Const(0.0f));
  v.Xor(r, r, odd);
  v.MulAdd(r, r, p);
}

template <class V>
void EmitSin(V& v, const VecGroup& x) {
  const VecRegs r = v.New("sin_r", x.size());
  const VecRegs odd = v.New("sin_odd", x.size());
  EmitReduceAngle(v, r, odd, x, AngleReduction::kSine);
  EmitSinOfReduced(v, r, odd, x);
  v.Copy(x, r);
}

template void EmitSinOfReduced(VecAvx2&, const VecGroup&, const VecGroup&, const VecGroup&);
template void EmitSinOfReduced(VecAvx512&, const VecGroup&, const VecGroup&, const VecGroup&);
template void EmitSin(VecAvx2&, const VecGroup&);
template void EmitSin(VecAvx512&, const VecGroup&);

}  // namespace burin::jit
