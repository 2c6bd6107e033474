#include "jit/emitters/elementary/expm1.h"

#include <cstdint>

#include "jit/emitters/elementary/exp_parts.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

// Beyond these the result is infinite or -1.
constexpr float kHighest = 89.0f;
constexpr float kLowest = -20.0f;
// 2^-n counts for nothing where n is greater.
constexpr float kGreatestPower = 64.0f;
// Of r^2 to r^7; the greatest relative error of the sum is 3.33e-9.
constexpr float kCoefficients[] = {0.5f, 0.166666359f, 0.0416665114f, 0.00834150892f, 0.00139305438f, 0.000150472959f};

constexpr int32_t kOne = 0x3f800000;
constexpr int kMantissaBits = 23;

}  // namespace

template <class V>
void EmitExpm1(V& v, const VecGroup& x) {
  const VecRegs n = v.New("expm1_n", x.size());
  const VecRegs p = v.New("expm1_p", x.size());
  // In this order of operands, NaN stays.
  v.Min(x, v.ConstReg(kHighest), x);
  v.Max(x, v.ConstReg(kLowest), x);
  EmitReduceExponent(v, x, n);
  v.BroadcastConst(p, kCoefficients[5]);
  for (int i = 4; i >= 0; --i) v.ScaleAdd(p, x, v.Const(kCoefficients[i]));
  // Not a product, whose zero is negative for -0: times -0, that would make +0 of the sum.
  v.ScaleAdd(p, x, v.Const(0.0f));
  v.MulAdd(x, x, p);
  // 2^-n - 1, whose zero is positive: subtracted, it keeps a zero's sign.
  v.Min(p, n, v.Const(kGreatestPower));
  v.FloatToI32(p, p);
  v.ShiftLeftI32(p, p, kMantissaBits);
  {
    const VecReg one = v.ConstReg(kOne);
    v.SubI32(p, one, p);
  }
  v.Sub(p, p, v.Const(1.0f));
  v.Sub(x, x, p);
  EmitScaleByPowerOfTwo(v, x, x, n);
}

template void EmitExpm1(VecAvx2&, const VecGroup&);
template void EmitExpm1(VecAvx512&, const VecGroup&);

}  // namespace burin::jit
