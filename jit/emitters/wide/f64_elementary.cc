#include "jit/emitters/wide/f64_elementary.h"

#include <cstdint>
#include <limits>

#include "absl/base/casts.h"
#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/arithmetic/f64_halves.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"
#include "jit/emitters/wide/wide_masks.h"

namespace burin::jit {
namespace {

// log 2 in two parts, the first of 32 bits: its product with an exponent is exact.
constexpr double kLog2High = 0x1.62e42feep-1;
constexpr double kLog2Low = 0x1.a39ef35793c76p-33;
constexpr double kLog2E = 0x1.71547652b82fep+0;

// Beyond, e^x is infinite or rounds to 0.
constexpr double kHighest = 710;
constexpr double kLowest = -746;

// The last power of the series of e^r, and the last odd one of that of atanh(s).
constexpr int kExpTerms = 13;
constexpr int kLogTerms = 23;

constexpr int kMantissaBits = 52;
constexpr int64_t kOne = 0x3ff0000000000000;
constexpr int64_t kExponentMask = static_cast<int64_t>(0xfff0000000000000);
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Sets x to p 2^n, rounded once; p is about 1, n an integral number. Changes n.
void ScaleF64(VecAvx512& v, const Xmm& x, const Xmm& n) { v.code().vscalefpd(x, x, n); }
void ScaleF64(VecAvx2& v, const Xmm& x, const Xmm& n) {
  // In two factors, since 2^n may be no normal number. The first leaves x normal, by an addition to its exponent; the
  // second rounds. Where n is NaN, it becomes INT32_MIN and both factors 1.
  Assembler& code = v.code();
  const VecReg half = v.New("half_of_exponent");
  code.vcvtpd2dq(AsXmm(n), AsYmm(n));
  code.vpsrad(AsXmm(half), AsXmm(n), 1);
  code.vpsubd(AsXmm(n), AsXmm(n), AsXmm(half));
  code.vpmovsxdq(AsYmm(half), AsXmm(half));
  code.vpmovsxdq(AsYmm(n), AsXmm(n));
  code.vpsllq(half, half, kMantissaBits);
  code.vpsllq(n, n, kMantissaBits);
  code.vpaddq(x, x, half);
  code.vpaddq(n, n, WideConst(v, kOne));
  code.vmulpd(x, x, n);
}

// Sets `mantissa` and `exponent` (a double) to those of a positive x: x = mantissa 2^exponent, the first between the
// roots of 1/2 and 2. Changes `t`.
template <class V>
void SplitF64(V& v, const Xmm& mantissa, const Xmm& exponent, const Xmm& x, const Xmm& t) {
  constexpr double kRootOfHalf = 0x1.6a09e667f3bcdp-1;
  constexpr double kIntegerBits = 0x1p52;
  constexpr double kDenormalScale = 54;
  Assembler& code = v.code();
  const typename V::MaskRegister denormal = v.NewMask("denormal");
  CompareF64(v, denormal, x, WideConst(v, std::numeric_limits<double>::min()), VecCompare::kLess);
  code.vmulpd(t, x, WideConst(v, 0x1p54));
  SelectWide(v, mantissa, denormal, t, x);
  // The exponent of x / root, biased, as the low bits of 2^52.
  code.vpsubq(t, mantissa, WideConst(v, absl::bit_cast<int64_t>(kRootOfHalf)));
  code.vpaddq(exponent, t, WideConst(v, kOne));
  code.vpsrlq(exponent, exponent, kMantissaBits);
  code.vorpd(exponent, exponent, WideConst(v, kIntegerBits));
  code.vsubpd(exponent, exponent, WideConst(v, kIntegerBits + 1023));
  code.vandpd(t, t, WideConst(v, kExponentMask));
  code.vpsubq(mantissa, mantissa, t);
  code.vsubpd(t, exponent, WideConst(v, kDenormalScale));
  SelectWide(v, exponent, denormal, t, exponent);
}

// Replaces logarithms of what is not positive and finite.
template <class V>
void MendLog(V& v, const Xmm& to, const Xmm& x, const Xmm& t) {
  const typename V::MaskRegister mask = v.NewMask("mask");
  const auto set_where = [&](VecCompare compare, double limit, double value) {
    CompareF64(v, mask, x, WideConst(v, limit), compare);
    v.Load(t, WideConst(v, value));
    SelectWide(v, to, mask, t, to);
  };
  set_where(VecCompare::kEqual, kInfinity, kInfinity);
  set_where(VecCompare::kEqual, 0.0, -kInfinity);
  set_where(VecCompare::kLess, 0.0, std::numeric_limits<double>::quiet_NaN());
  CompareF64(v, mask, x, x, VecCompare::kUnordered);
  SelectWide(v, to, mask, x, to);
}

template <class V>
void LogOfOne(V& v, const Xmm& to, const Xmm& x) {
  Assembler& code = v.code();
  const VecReg f = v.New("f");
  const VecReg exponent = v.New("exponent");
  const VecReg s = v.New("s");
  const VecReg square = v.New("square");
  SplitF64(v, f, exponent, x, s);
  code.vsubpd(f, f, WideConst(v, 1.0));
  code.vaddpd(s, f, WideConst(v, 2.0));
  code.vdivpd(s, f, s);
  code.vmulpd(square, s, s);
  // Of the series: 2/3 s^2 + 2/5 s^4 + ...
  v.Load(to, WideConst(v, 2.0 / kLogTerms));
  for (int power = kLogTerms - 2; power >= 3; power -= 2) code.vfmadd213pd(to, square, WideConst(v, 2.0 / power));
  code.vmulpd(to, to, square);
  // f - (f^2/2 - (s (f^2/2 + series) + e low)) + e high.
  code.vmulpd(square, f, f);
  code.vmulpd(square, square, WideConst(v, 0.5));
  code.vaddpd(to, to, square);
  code.vmulpd(to, to, s);
  code.vmovapd(s, exponent);
  code.vfmadd132pd(s, to, WideConst(v, kLog2Low));
  code.vsubpd(s, square, s);
  code.vsubpd(to, f, s);
  code.vmulpd(exponent, exponent, WideConst(v, kLog2High));
  code.vaddpd(to, to, exponent);
  MendLog(v, to, x, s);
}

}  // namespace

template <class V>
void EmitExpF64(V& v, const VecGroup& to, const VecGroup& x) {
  Assembler& code = v.code();
  const VecRegs n = v.New("n", to.size());
  const VecRegs r = v.New("r", to.size());
  for (int i = 0; i < to.size(); ++i) {
    // The second source comes back where one is NaN.
    v.Load(n[i], WideConst(v, kLowest));
    code.vmaxpd(r[i], n[i], x[i]);
    v.Load(n[i], WideConst(v, kHighest));
    code.vminpd(r[i], n[i], r[i]);
    code.vmulpd(n[i], r[i], WideConst(v, kLog2E));
    RoundF64(v, n[i], VecRounding::kNearestEven);
    code.vfnmadd231pd(r[i], n[i], WideConst(v, kLog2High));
    code.vfnmadd231pd(r[i], n[i], WideConst(v, kLog2Low));
  }
  double factorial = 1;
  for (int power = 2; power <= kExpTerms; ++power) factorial *= power;
  for (int i = 0; i < to.size(); ++i) v.Load(to[i], WideConst(v, 1 / factorial));
  for (int power = kExpTerms - 1; power >= 0; --power) {
    factorial /= power + 1;
    for (int i = 0; i < to.size(); ++i) code.vfmadd213pd(to[i], r[i], WideConst(v, 1 / factorial));
  }
  for (int i = 0; i < to.size(); ++i) ScaleF64(v, to[i], n[i]);
}

// Registers take turns: what limits them all is the divider.
template <class V>
void EmitLogF64(V& v, const VecGroup& to, const VecGroup& x) {
  for (int i = 0; i < to.size(); ++i) LogOfOne(v, to[i], x[i]);
}

template void EmitExpF64(VecAvx2&, const VecGroup&, const VecGroup&);
template void EmitExpF64(VecAvx512&, const VecGroup&, const VecGroup&);
template void EmitLogF64(VecAvx2&, const VecGroup&, const VecGroup&);
template void EmitLogF64(VecAvx512&, const VecGroup&, const VecGroup&);

}  // namespace burin::jit
