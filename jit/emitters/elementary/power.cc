#include "jit/emitters/elementary/power.h"

#include <cstddef>
#include <cstdint>
#include <limits>

#include "absl/types/span.h"
#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/arithmetic/f64_halves.h"
#include "jit/emitters/elementary/exp_parts.h"
#include "jit/emitters/elementary/log_parts.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

// Of log2(1 + f) / f, -1/4 <= f <= 1/2; the greatest relative error is 1.66e-11.
constexpr int kLogDegree = 12;
constexpr double kLogCoefficients[kLogDegree + 1] = {
    1.4426950409106849,   -0.72134752083174192, 0.48089833264000686,  -0.36067365344263091, 0.28854042800151519,
    -0.24045841842772442, 0.20605685974640786,  -0.18000363268056641, 0.1605030199524225,   -0.1492081843777647,
    0.13879361058428255,  -0.10204157366713915, 0.037990092867354323};
// Of (2^r - 1) / r, |r| <= 1/2; the greatest error relative to 2^r is 2.53e-9.
constexpr int kExpDegree = 5;
constexpr double kExpCoefficients[kExpDegree + 1] = {0.69314720670283259,   0.24022650922288757,
                                                     0.05550327226670302,   0.0096180566785246373,
                                                     0.0013400428177615838, 0.00015461444698569129};
// Beyond +-this, the result is infinite or zero.
constexpr double kGreatestExponent = 200;

constexpr int32_t kSignBit = std::numeric_limits<int32_t>::min();
constexpr int32_t kAllButSign = std::numeric_limits<int32_t>::max();

// Returns which half of its vector the doubles with index i of a group hold.
VecHalf HalfOf(int i) { return i % 2 == 0 ? VecHalf::kLow : VecHalf::kHigh; }

// Sets the low halves of `low` and `high` to their floats, and `low` to both.
template <class V>
void Narrow(V& v, const Xmm& low, const Xmm& high) {
  F64ToF32(v, low, low);
  F64ToF32(v, high, high);
  JoinHalves(v, low, high);
}

// Sets `to` to a constant.
void BroadcastDouble(VecAvx512& v, const Xmm& to, double value) {
  v.code().vbroadcastsd(AsZmm(to), v.code().Scalar(value));
}
void BroadcastDouble(VecAvx2& v, const Xmm& to, double value) {
  v.code().vbroadcastsd(AsYmm(to), v.code().Scalar(value));
}

// Sets p to the sum of the coefficients times powers of f, from the constant term on.
template <class V>
void EmitPolynomial(V& v, const VecRegs& p, const VecRegs& f, absl::Span<const double> coefficients) {
  const VecReg coefficient = v.New("coefficient");
  BroadcastDouble(v, coefficient, coefficients.back());
  for (int i = 0; i < p.size(); ++i) v.code().vmovaps(p[i], coefficient);
  for (size_t power = coefficients.size() - 1; power-- > 0;) {
    BroadcastDouble(v, coefficient, coefficients[power]);
    for (int i = 0; i < p.size(); ++i) v.code().vfmadd213pd(p[i], f[i], coefficient);
  }
}

// Replaces `result`, which is |x|^y, where a rule says so or the sign is that of x. One vector.
template <class V>
void EmitSpecialCases(V& v, const Xmm& result, const Xmm& x, const Xmm& y) {
  const VecReg a = v.New("power_a");
  const VecReg b = v.New("power_b");
  const typename V::Mask mask = v.NewMask("power", 1);
  const typename V::Mask other = v.NewMask("power", 1);
  // |x| is 1, or y is 0.
  v.And(a, x, v.Const(kAllButSign));
  v.BroadcastConst(b, 1.0f);
  v.Compare(mask, a, b, VecCompare::kEqual);
  v.Zero(a);
  v.Compare(other, y, a, VecCompare::kEqual);
  v.OrMasks(mask, mask, other);
  v.Select(result, mask, b, result);
  // Half of an odd number, and of no other, is one half off the nearest integer.
  v.Mul(a, y, v.Const(0.5f));
  v.Round(b, a, VecRounding::kNearestEven);
  v.Sub(a, a, b);
  v.And(a, a, v.Const(kAllButSign));
  v.Compare(mask, a, v.Const(0.5f), VecCompare::kEqual);
  v.And(a, x, v.Const(kSignBit));
  v.Or(a, a, result);
  v.Select(result, mask, a, result);
  // x is negative and finite, and y is no integer.
  v.Round(b, y, VecRounding::kNearestEven);
  v.Compare(mask, y, b, VecCompare::kNotEqual);
  v.Zero(a);
  v.Compare(other, x, a, VecCompare::kLess);
  v.AndMasks(mask, mask, other);
  v.Compare(other, x, v.Const(std::numeric_limits<float>::lowest()), VecCompare::kGreaterEqual);
  v.AndMasks(mask, mask, other);
  v.BroadcastConst(a, std::numeric_limits<float>::quiet_NaN());
  v.Select(result, mask, a, result);
}

}  // namespace

template <class V>
void EmitPower(V& v, const VecGroup& x, const VecGroup& y) {
  Assembler& code = v.code();
  // Later n.
  const VecRegs k = v.New("power_k", x.size());
  const VecRegs f = v.New("power_f", 2 * x.size());
  {
    const VecRegs magnitude = v.New("magnitude", x.size());
    const VecRegs mantissa = v.New("mantissa", x.size());
    VecGroup spare;
    for (int i = 0; i < x.size(); ++i) spare.Append(f[i]);
    v.And(magnitude, x, v.Const(kAllButSign));
    EmitSplitForLog(v, mantissa, k, magnitude, spare);
    EmitCompleteExponent(v, k, magnitude);
    v.Sub(mantissa, mantissa, v.Const(1.0f));
    for (int i = 0; i < f.size(); ++i) F32ToF64(v, f[i], mantissa[i / 2], HalfOf(i));
  }
  const VecRegs t = v.New("power_t", 2 * x.size());
  EmitPolynomial(v, t, f, kLogCoefficients);
  // The products with y: infinite logarithms times 0 are NaN.
  for (int i = 0; i < f.size(); ++i) code.vmulpd(t[i], t[i], f[i]);
  for (int i = 0; i < f.size(); ++i) {
    F32ToF64(v, f[i], k[i / 2], HalfOf(i));
    code.vaddpd(t[i], t[i], f[i]);
    F32ToF64(v, f[i], y[i / 2], HalfOf(i));
    code.vmulpd(t[i], t[i], f[i]);
  }
  {
    // In this order of operands, NaN stays.
    const VecReg limit = v.New("limit");
    BroadcastDouble(v, limit, kGreatestExponent);
    for (int i = 0; i < t.size(); ++i) code.vminpd(t[i], limit, t[i]);
    BroadcastDouble(v, limit, -kGreatestExponent);
    for (int i = 0; i < t.size(); ++i) code.vmaxpd(t[i], limit, t[i]);
  }
  for (int i = 0; i < t.size(); ++i) {
    code.vmovaps(f[i], t[i]);
    RoundF64(v, f[i], VecRounding::kNearestEven);
    code.vsubpd(t[i], t[i], f[i]);
  }
  for (int i = 0; i < x.size(); ++i) {
    Narrow(v, f[2 * i], f[2 * i + 1]);
    v.Copy(k[i], f[2 * i]);
  }
  EmitPolynomial(v, f, t, kExpCoefficients);
  {
    const VecReg one = v.New("one");
    BroadcastDouble(v, one, 1.0);
    for (int i = 0; i < t.size(); ++i) code.vfmadd213pd(f[i], t[i], one);
  }
  VecGroup result;
  for (int i = 0; i < x.size(); ++i) {
    Narrow(v, f[2 * i], f[2 * i + 1]);
    result.Append(f[2 * i]);
  }
  EmitScaleByPowerOfTwo(v, result, result, k);
  for (int i = 0; i < x.size(); ++i) {
    EmitSpecialCases(v, result[i], x[i], y[i]);
    v.Copy(x[i], result[i]);
  }
}

template void EmitPower(VecAvx2&, const VecGroup&, const VecGroup&);
template void EmitPower(VecAvx512&, const VecGroup&, const VecGroup&);

}  // namespace burin::jit
