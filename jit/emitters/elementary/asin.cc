#include "jit/emitters/elementary/asin.h"

#include <cstdint>
#include <limits>

#include "jit/emitters/vec.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

// pi / 2 in two parts.
constexpr float kHalfPi = 0x1.921fb6p+0f;
constexpr float kHalfPiLow = -0x1.777a5cp-25f;
// Of s^3 to s^11; the greatest relative error of the arc sine is 4.85e-9.
constexpr int kDegree = 4;
constexpr float kCoefficients[kDegree + 1] = {0.166667521f, 0.0749530941f, 0.0454691537f, 0.0241847392f, 0.0421584062f};

}  // namespace

template <class V>
void EmitAsinOfSmall(V& v, const VecGroup& result, const VecGroup& s, const VecGroup& square) {
  v.BroadcastConst(result, kCoefficients[kDegree]);
  for (int i = kDegree - 1; i >= 0; --i) v.ScaleAdd(result, square, v.Const(kCoefficients[i]));
  v.Mul(result, result, square);
  v.ScaleAdd(result, s, s);
}

template <class V>
void EmitAsin(V& v, const VecGroup& x) {
  const VecRegs s = v.New("asin_s", x.size());
  const VecRegs square = v.New("square", x.size());
  const VecRegs p = v.New("asin_p", x.size());
  const typename V::Mask large = v.NewMask("large", x.size());
  v.And(s, x, v.Const(std::numeric_limits<int32_t>::max()));
  {
    const VecReg half = v.ConstReg(0.5f);
    v.Compare(large, s, half, VecCompare::kGreater);
    // (1 - s) / 2, exact where s is above 1/2, and negative above 1.
    v.Copy(p, s);
    v.NegativeScaleAdd(p, half, half);
  }
  v.Mul(square, s, s);
  v.Select(square, large, p, square);
  v.Sqrt(p, p);
  v.Select(s, large, p, s);
  EmitAsinOfSmall(v, p, s, square);
  // pi / 2 - 2 p
  v.Add(s, p, p);
  v.Sub(s, s, v.Const(kHalfPiLow));
  {
    const VecReg half_pi = v.ConstReg(kHalfPi);
    v.Sub(s, half_pi, s);
  }
  v.Select(p, large, s, p);
  v.And(x, x, v.Const(std::numeric_limits<int32_t>::min()));
  v.Or(x, x, p);
}

template void EmitAsinOfSmall(VecAvx2&, const VecGroup&, const VecGroup&, const VecGroup&);
template void EmitAsinOfSmall(VecAvx512&, const VecGroup&, const VecGroup&, const VecGroup&);
template void EmitAsin(VecAvx2&, const VecGroup&);
template void EmitAsin(VecAvx512&, const VecGroup&);

}  // namespace burin::jit
