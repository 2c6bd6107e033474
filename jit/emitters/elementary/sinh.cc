#include "jit/emitters/elementary/sinh.h"

#include <cstdint>
#include <limits>

#include "jit/emitters/elementary/exp.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

// Where the reciprocal is still a normal float, and counts for nothing.
constexpr float kHighestDivisor = 0x1p+100f;
// Of x^3 to x^9; the greatest relative error of the hyperbolic sine is 3.03e-10.
constexpr int kDegree = 3;
constexpr float kCoefficients[kDegree + 1] = {0.166666672f, 0.00833331048f, 0.000198428956f, 2.78221319e-06f};

}  // namespace

template <class V>
void EmitSinh(V& v, const VecGroup& x) {
  const VecRegs e = v.New("sinh_e", x.size());
  const VecRegs p = v.New("sinh_p", x.size());
  v.And(e, x, v.Const(std::numeric_limits<int32_t>::max()));
  EmitHalfExpOfNonNegative(v, e);
  // At least 1/2, or NaN; a reciprocal that is no normal float counts for nothing.
  {
    const VecRegs quarter = v.New("quarter", x.size());
    const VecRegs divisor = v.New("divisor", x.size());
    v.BroadcastConst(quarter, 0.25f);
    v.Min(divisor, e, v.Const(kHighestDivisor));
    v.DivFast(p, quarter, divisor);
  }
  v.Sub(e, e, p);
  {
    const VecRegs square = v.New("square", x.size());
    const typename V::Mask large = v.NewMask("large", x.size());
    v.Mul(square, x, x);
    v.BroadcastConst(p, kCoefficients[kDegree]);
    for (int i = kDegree - 1; i >= 0; --i) v.ScaleAdd(p, square, v.Const(kCoefficients[i]));
    v.Mul(p, p, square);
    v.ScaleAdd(p, x, x);
    v.Compare(large, square, v.Const(1.0f), VecCompare::kGreater);
    v.And(x, x, v.Const(std::numeric_limits<int32_t>::min()));
    v.Or(e, e, x);
    v.Select(x, large, e, p);
  }
}

template void EmitSinh(VecAvx2&, const VecGroup&);
template void EmitSinh(VecAvx512&, const VecGroup&);

}  // namespace burin::jit
