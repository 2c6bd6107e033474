#include "jit/emitters/elementary/exp.h"

#include <cstdint>

#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

// Beyond these the result is infinite or zero; between them, n is small enough that 2^n has two float factors.
constexpr float kHighest = 89.0f;
constexpr float kLowest = -105.0f;

constexpr float kLog2E = 0x1.715476p+0f;
// log 2 in two parts, the first of 9 bits.
constexpr float kLog2High = 0x1.63p-1f;
constexpr float kLog2Low = -0x1.bd0106p-13f;
// Added to a float below 2^22, leaves no bits for its fraction.
constexpr float kRounder = 0x1.8p+23f;
// Of r^2 to r^6; the greatest relative error of the sum is 4.3e-9.
constexpr float kCoefficients[] = {0.5f, 0.166664883f, 0.0416655503f, 0.00837229379f, 0.00140357506f};

constexpr int32_t kOne = 0x3f800000;
constexpr int kMantissaBits = 23;

// Sets x to p 2^n for an integral n.
void Scale(VecAvx512& v, const VecGroup& x, const VecGroup& p, const VecGroup& n) {
  for (int i = 0; i < x.size(); ++i) v.code().vscalefps(x[i], p[i], n[i]);
}

void Scale(VecAvx2& v, const VecGroup& x, const VecGroup& p, const VecGroup& n) {
  // In two factors, since 2^n may be no normal float. The first leaves p normal, by an addition to its exponent; the
  // second rounds. Where x is NaN, n becomes INT32_MIN and both factors 1.
  const VecRegs half = v.New("exp_half", x.size());
  v.FloatToI32(n, n);
  v.ShiftRightI32(half, n, 1);
  v.SubI32(n, n, half);
  v.ShiftLeftI32(half, half, kMantissaBits);
  v.AddI32(p, p, half);
  v.ShiftLeftI32(n, n, kMantissaBits);
  v.AddI32(n, n, v.Const(kOne));
  v.Mul(x, p, n);
}

template <class V>
void EmitFromAbove(V& v, const VecGroup& x) {
  const VecRegs n = v.New("exp_n", x.size());
  const VecRegs p = v.New("exp_p", x.size());
  // In this order of operands, NaN stays.
  v.Max(x, v.ConstReg(kLowest), x);
  v.BroadcastConst(n, kRounder);
  v.MulAdd(n, x, v.Const(kLog2E));
  v.Sub(n, n, v.Const(kRounder));
  v.MulSubtractFrom(x, n, v.Const(kLog2High));
  v.MulSubtractFrom(x, n, v.Const(kLog2Low));
  v.BroadcastConst(p, kCoefficients[4]);
  for (int i = 3; i >= 0; --i) v.ScaleAdd(p, x, v.Const(kCoefficients[i]));
  v.ScaleAdd(p, x, v.Const(1.0f));
  v.ScaleAdd(p, x, v.Const(1.0f));
  Scale(v, x, p, n);
}

}  // namespace

template <class V>
void EmitExpOfNonPositive(V& v, const VecGroup& x) {
  EmitFromAbove(v, x);
}

template <class V>
void EmitExp(V& v, const VecGroup& x) {
  // In this order of operands, NaN stays.
  v.Min(x, v.ConstReg(kHighest), x);
  EmitFromAbove(v, x);
}

template void EmitExpOfNonPositive(VecAvx2&, const VecGroup&);
template void EmitExpOfNonPositive(VecAvx512&, const VecGroup&);
template void EmitExp(VecAvx2&, const VecGroup&);
template void EmitExp(VecAvx512&, const VecGroup&);

}  // namespace burin::jit
