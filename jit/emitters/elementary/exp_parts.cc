#include "jit/emitters/elementary/exp_parts.h"

#include <cstdint>

#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

constexpr float kLog2E = 0x1.715476p+0f;
// log 2 in two parts, the first of 15 bits. Neither is negative: -0 less the product of 0 and each of them is -0.
constexpr float kLog2High = 0x1.62e4p-1f;
constexpr float kLog2Low = 0x1.7f7d1cp-20f;
// Added to a float below 2^22, leaves no bits for its fraction.
constexpr float kRounder = 0x1.8p+23f;

// Of r^2 to r^6; the greatest relative error of the sum is 4.3e-9.
constexpr float kCoefficients[] = {0.5f, 0.166664883f, 0.0416655503f, 0.00837229379f, 0.00140357506f};

constexpr int32_t kOne = 0x3f800000;
constexpr int kMantissaBits = 23;

// Sets n to x scale, rounded to an integral float.
template <class V>
void RoundProduct(V& v, const VecGroup& n, const VecGroup& x, float scale) {
  v.BroadcastConst(n, kRounder);
  v.MulAdd(n, x, v.Const(scale));
  v.Sub(n, n, v.Const(kRounder));
}

void Scale(VecAvx512& v, const VecGroup& x, const VecGroup& p, const VecGroup& n) {
  for (int i = 0; i < x.size(); ++i) v.code().vscalefps(x[i], p[i], n[i]);
}

void Scale(VecAvx2& v, const VecGroup& x, const VecGroup& p, const VecGroup& n) {
  // In two factors, since 2^n may be no normal float. The first leaves p normal, by an addition to its exponent; the
  // second rounds. Where n is NaN, it becomes INT32_MIN and both factors 1.
  const VecRegs half = v.New("half_of_exponent", x.size());
  v.FloatToI32(n, n);
  v.ShiftRightI32(half, n, 1);
  v.SubI32(n, n, half);
  v.ShiftLeftI32(half, half, kMantissaBits);
  v.AddI32(p, p, half);
  v.ShiftLeftI32(n, n, kMantissaBits);
  v.AddI32(n, n, v.Const(kOne));
  v.Mul(x, p, n);
}

}  // namespace

template <class V>
void EmitReduceExponent(V& v, const VecGroup& x, const VecGroup& n) {
  RoundProduct(v, n, x, kLog2E);
  v.MulSubtractFrom(x, n, v.Const(kLog2High));
  v.MulSubtractFrom(x, n, v.Const(kLog2Low));
}

template <class V>
void EmitReduceExponent(V& v, const VecGroup& r, const VecGroup& n, const VecGroup& x, float factor) {
  RoundProduct(v, n, x, factor * kLog2E);
  // Both products are exact inside the fused sum.
  v.Mul(r, n, v.Const(-kLog2High));
  v.MulAdd(r, x, v.Const(factor));
  v.MulSubtractFrom(r, n, v.Const(kLog2Low));
}

template <class V>
void EmitExpOfRemainder(V& v, const VecGroup& p, const VecGroup& r) {
  v.BroadcastConst(p, kCoefficients[4]);
  for (int i = 3; i >= 0; --i) v.ScaleAdd(p, r, v.Const(kCoefficients[i]));
  v.ScaleAdd(p, r, v.Const(1.0f));
  v.ScaleAdd(p, r, v.Const(1.0f));
}

template <class V>
void EmitScaleByPowerOfTwo(V& v, const VecGroup& x, const VecGroup& p, const VecGroup& n) {
  Scale(v, x, p, n);
}

template void EmitReduceExponent(VecAvx2&, const VecGroup&, const VecGroup&);
template void EmitReduceExponent(VecAvx512&, const VecGroup&, const VecGroup&);
template void EmitReduceExponent(VecAvx2&, const VecGroup&, const VecGroup&, const VecGroup&, float);
template void EmitReduceExponent(VecAvx512&, const VecGroup&, const VecGroup&, const VecGroup&, float);
template void EmitExpOfRemainder(VecAvx2&, const VecGroup&, const VecGroup&);
template void EmitExpOfRemainder(VecAvx512&, const VecGroup&, const VecGroup&);
template void EmitScaleByPowerOfTwo(VecAvx2&, const VecGroup&, const VecGroup&, const VecGroup&);
template void EmitScaleByPowerOfTwo(VecAvx512&, const VecGroup&, const VecGroup&, const VecGroup&);

}  // namespace burin::jit
