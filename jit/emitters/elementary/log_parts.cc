#include "jit/emitters/elementary/log_parts.h"

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
// The bits of 3/4 and of infinity.
constexpr int32_t kThreeQuarters = 0x3f400000;
constexpr int32_t kInfinity = 0x7f800000;

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

void Complete(VecAvx512&, const VecGroup&, const VecGroup&) {}

void Complete(VecAvx2& v, const VecGroup& k, const VecGroup& x) {
  const VecAvx2::Mask mask = v.NewMask("special", x.size());
  {
    const VecReg infinity = v.ConstReg(-std::numeric_limits<float>::infinity());
    const VecReg zero = v.ConstReg(0.0f);
    v.Compare(mask, x, zero, VecCompare::kEqual);
    v.Select(k, mask, infinity, k);
  }
  v.CompareI32(mask, x, v.Const(kInfinity - 1), VecCompareI32::kGreater);
  v.Select(k, mask, x, k);
}

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
void EmitSplitForLog(V& v, const VecGroup& m, const VecGroup& k, const VecGroup& x, const VecGroup& spare) {
  Split(v, m, k, x, spare);
}

template <class V>
void EmitCompleteExponent(V& v, const VecGroup& k, const VecGroup& x) {
  Complete(v, k, x);
}

template <class V>
void EmitFinishLog(V& v, const VecGroup& result, const VecGroup& x) {
  Finish(v, result, x);
}

template <class V>
void EmitLogTail(V& v, const VecGroup& tail, const VecGroup& square, const VecGroup& f) {
  v.BroadcastConst(tail, kCoefficients[kDegree]);
  for (int i = kDegree - 1; i >= 0; --i) v.ScaleAdd(tail, f, v.Const(kCoefficients[i]));
  v.Mul(square, f, f);
  v.Mul(tail, tail, f);
  v.Mul(tail, tail, square);
}

template <class V>
void EmitLogOfParts(V& v, const VecGroup& result, const VecGroup& f, const VecGroup& k) {
  const VecRegs square = v.New("square", f.size());
  EmitLogTail(v, result, square, f);
  // From the small to the large.
  v.MulAdd(result, k, v.Const(kLog2Low));
  v.MulSubtractFrom(result, square, v.Const(0.5f));
  v.Add(result, result, f);
  v.MulAdd(result, k, v.Const(kLog2High));
}

#define BURIN_INSTANTIATE(V)                                                                             \
  template void EmitSplitForLog(V&, const VecGroup&, const VecGroup&, const VecGroup&, const VecGroup&); \
  template void EmitCompleteExponent(V&, const VecGroup&, const VecGroup&);                              \
  template void EmitFinishLog(V&, const VecGroup&, const VecGroup&);                                     \
  template void EmitLogTail(V&, const VecGroup&, const VecGroup&, const VecGroup&);                      \
  template void EmitLogOfParts(V&, const VecGroup&, const VecGroup&, const VecGroup&);
BURIN_INSTANTIATE(VecAvx2)
BURIN_INSTANTIATE(VecAvx512)
#undef BURIN_INSTANTIATE

}  // namespace burin::jit
