#include "jit/emitters/elementary/tan.h"

#include "jit/emitters/elementary/reduce_angle.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

// Of r^3 to r^15; the greatest relative error of the tangent is 3.75e-9.
constexpr int kDegree = 6;
constexpr float kCoefficients[kDegree + 1] = {0.33333376f,   0.133317739f,    0.0541582741f, 0.0207883418f,
                                              0.0120777534f, -0.00143566087f, 0.00510436296f};

}  // namespace

template <class V>
void EmitTan(V& v, const VecGroup& x) {
  const VecRegs r = v.New("tan_r", x.size());
  const VecRegs odd = v.New("tan_odd", x.size());
  EmitReduceAngle(v, r, odd, x, AngleReduction::kTangent);
  const VecRegs p = v.New("tan_p", x.size());
  v.Mul(x, r, r);
  v.BroadcastConst(p, kCoefficients[kDegree]);
  for (int i = kDegree - 1; i >= 0; --i) v.ScaleAdd(p, x, v.Const(kCoefficients[i]));
  v.Mul(p, p, x);
  v.MulAdd(r, r, p);
  // Where q is odd, r is neither small nor infinite.
  v.BroadcastConst(p, -1.0f);
  v.DivFast(x, p, r);
  const typename V::Mask mask = v.NewMask("tan_odd", x.size());
  v.MaskOfSigns(mask, odd);
  v.Select(x, mask, x, r);
}

template void EmitTan(VecAvx2&, const VecGroup&);
template void EmitTan(VecAvx512&, const VecGroup&);

}  // namespace burin::jit
