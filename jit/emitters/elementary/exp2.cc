#include "jit/emitters/elementary/exp2.h"

#include "jit/emitters/elementary/exp_parts.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

// Beyond these the result is infinite or zero.
constexpr float kHighest = 129.0f;
constexpr float kLowest = -151.0f;
// Added to a float below 2^22, leaves no bits for its fraction.
constexpr float kRounder = 0x1.8p+23f;
// Of r to r^6; the greatest relative error of the sum is 9.41e-9.
constexpr float kCoefficients[] = {0.693147182f,   0.240226507f,   0.0555037782f,
                                   0.00961848721f, 0.00133851508f, 0.000152937035f};

}  // namespace

template <class V>
void EmitExp2OfParts(V& v, const VecGroup& r, const VecGroup& n) {
  const VecRegs p = v.New("exp2_p", r.size());
  v.BroadcastConst(p, kCoefficients[5]);
  for (int i = 4; i >= 0; --i) v.ScaleAdd(p, r, v.Const(kCoefficients[i]));
  v.ScaleAdd(p, r, v.Const(1.0f));
  EmitScaleByPowerOfTwo(v, r, p, n);
}

template <class V>
void EmitExp2(V& v, const VecGroup& x) {
  const VecRegs n = v.New("exp2_n", x.size());
  // In this order of operands, NaN stays.
  v.Min(x, v.ConstReg(kHighest), x);
  v.Max(x, v.ConstReg(kLowest), x);
  v.Add(n, x, v.Const(kRounder));
  v.Sub(n, n, v.Const(kRounder));
  v.Sub(x, x, n);
  EmitExp2OfParts(v, x, n);
}

template void EmitExp2OfParts(VecAvx2&, const VecGroup&, const VecGroup&);
template void EmitExp2OfParts(VecAvx512&, const VecGroup&, const VecGroup&);
template void EmitExp2(VecAvx2&, const VecGroup&);
template void EmitExp2(VecAvx512&, const VecGroup&);

}  // namespace burin::jit
