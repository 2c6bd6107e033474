#include "jit/emitters/elementary/atan.h"

#include <cstdint>
#include <limits>

#include "jit/emitters/vec.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

// Where the reciprocal is still a normal float, and counts for nothing.
constexpr float kHighest = 0x1p+100f;

// pi / 2 in two parts.
constexpr float kHalfPi = 0x1.921fb6p+0f;
constexpr float kHalfPiLow = -0x1.777a5cp-25f;
// Of t^3 to t^19; the greatest relative error of the arc tangent is 2.68e-9.
constexpr int kDegree = 8;
constexpr float kCoefficients[kDegree + 1] = {-0.333332986f,  0.199985296f,   -0.142640427f,
                                              0.10951189f,    -0.0840069577f, 0.0579131059f,
                                              -0.0311359894f, 0.010893343f,   -0.00178911316f};

}  // namespace

template <class V>
void EmitAtan(V& v, const VecGroup& x) {
  const VecRegs t = v.New("atan_t", x.size());
  const VecRegs p = v.New("atan_p", x.size());
  const VecRegs square = v.New("square", x.size());
  const typename V::Mask above = v.NewMask("above_one", x.size());
  v.And(t, x, v.Const(std::numeric_limits<int32_t>::max()));
  // In these orders of operands, NaN stays, or becomes 1 where it is divided by.
  v.Min(t, v.ConstReg(kHighest), t);
  v.Max(square, t, v.Const(1.0f));
  v.BroadcastConst(p, 1.0f);
  v.Compare(above, t, p, VecCompare::kGreater);
  {
    const VecRegs inverse = v.New("inverse", x.size());
    v.DivFast(inverse, p, square);
    v.Select(t, above, inverse, t);
  }
  v.Mul(square, t, t);
  v.BroadcastConst(p, kCoefficients[kDegree]);
  for (int i = kDegree - 1; i >= 0; --i) v.ScaleAdd(p, square, v.Const(kCoefficients[i]));
  v.Mul(p, p, square);
  v.ScaleAdd(p, t, t);
  v.BroadcastConst(t, kHalfPiLow);
  v.Sub(t, t, p);
  v.Add(t, t, v.Const(kHalfPi));
  v.Select(p, above, t, p);
  v.And(x, x, v.Const(std::numeric_limits<int32_t>::min()));
  v.Or(x, x, p);
}

template void EmitAtan(VecAvx2&, const VecGroup&);
template void EmitAtan(VecAvx512&, const VecGroup&);

}  // namespace burin::jit
