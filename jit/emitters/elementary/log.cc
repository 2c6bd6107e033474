#include "jit/emitters/elementary/log.h"

#include <cstdint>
#include <limits>

#include "jit/emitters/vec.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

// log 2 in two parts, the first of 15 bits.
constexpr float kLog2High = 0x1.62e4p-1f;
constexpr float kLog2Low = 0x1.7f7d1cp-20f;
// Of f^3 to f^11; the greatest relative error of the logarithm is 2.7e-9.
constexpr int kDegree = 8;
constexpr float kCoefficients[kDegree + 1] = {0.333333552f,  -0.250001013f, 0.199980125f,   -0.166559786f, 0.143155292f,
                                              -0.127818123f, 0.114441298f,  -0.0838383585f, 0.0324404873f};

constexpr int kMantissaBits = 23;
// The bits of 3/4.
constexpr int32_t kThreeQuarters = 0x3f400000;

// Splits x into m 2^k with 3/4 <= m < 3/2 and a float k; keeps in x what Finish() needs. Changes `spare`.
void Split(VecAvx512& v, const VecGroup& m, const VecGroup& k, const VecGroup& x, const VecGroup& spare) {
  // Of zero, m is 1 and k is -infinity; of infinity, 1 and infinity; below zero, m is NaN.
  constexpr uint8_t kFromThreeQuarters = 0x3;
  constexpr uint8_t kNanBelowZero = 0x8;
  constexpr uint8_t kPositive = 0x4;
  for (int i = 0; i < x.size(); ++i) {
    v.code().vgetmantps(m[i], x[i], static_cast<uint8_t>(kFromThreeQuarters | kNanBelowZero | kPositive));
  }
  for (int i = 0; i < x.size(); ++i) v.code().vgetexpps(k[i], x[i]);
  for (int i = 0; i < x.size(); ++i) v.code().vgetexpps(spare[i], m[i]);
  v.Sub(k, k, spare);
}

void Split(VecAvx2& v, const VecGroup& m, const VecGroup& k, const VecGroup& x, const VecGroup& spare) {
  // Denormals first become normal, 2^23 times as large.
  const VecAvx2::Mask denormal = v.NewMask("denormal", x.size());
  v.BroadcastConst(m, std::numeric_limits<float>::min());
  v.Compare(denormal, x, m, VecCompare::kLess);
  v.Mul(m, x, v.Const(0x1p+23f));
  v.Select(m, denormal, m, x);
  v.And(denormal, denormal, v.Const(23.0f));
  v.SubI32(spare, m, v.Const(kThreeQuarters));
  v.ShiftRightI32(spare, spare, kMantissaBits);
  v.I32ToFloat(k, spare);
  v.Sub(k, k, denormal);
  v.ShiftLeftI32(spare, spare, kMantissaBits);
  v.SubI32(m, m, spare);
}

// Replaces the result where x is not a positive finite number.
void Finish(VecAvx512&, const VecGroup&, const VecGroup&) {}

void Finish(VecAvx2& v, const VecGroup& result, const VecGroup& x) {
  const VecAvx2::Mask mask = v.NewMask("special", x.size());
  const VecRegs special = v.New("special_value", x.size());
  v.Zero(special);
  v.Compare(mask, x, special, VecCompare::kNotGreater);
  // All bits set are a NaN.
  v.Or(result, result, mask);
  v.Compare(mask, x, special, VecCompare::kEqual);
  v.BroadcastConst(special, -std::numeric_limits<float>::infinity());
  v.Select(result, mask, special, result);
  v.Compare(mask, x, v.Const(std::numeric_limits<float>::infinity()), VecCompare::kEqual);
  v.Select(result, mask, x, result);
}

}  // namespace

template <class V>
void EmitLog(V& v, const VecGroup& x) {
  const VecRegs f = v.New("log_f", x.size());
  const VecRegs k = v.New("log_k", x.size());
  const VecRegs p = v.New("log_p", x.size());
  Split(v, f, k, x, p);
  v.Sub(f, f, v.Const(1.0f));
  v.BroadcastConst(p, kCoefficients[kDegree]);
  for (int i = kDegree - 1; i >= 0; --i) v.ScaleAdd(p, f, v.Const(kCoefficients[i]));
  const VecRegs square = v.New("square", x.size());
  v.Mul(square, f, f);
  v.Mul(p, p, f);
  v.Mul(p, p, square);
  // From the small to the large.
  v.MulAdd(p, k, v.Const(kLog2Low));
  v.MulSubtractFrom(p, square, v.Const(0.5f));
  v.Add(p, p, f);
  v.MulAdd(p, k, v.Const(kLog2High));
  Finish(v, p, x);
  v.Copy(x, p);
}

template void EmitLog(VecAvx2&, const VecGroup&);
template void EmitLog(VecAvx512&, const VecGroup&);

}  // namespace burin::jit
