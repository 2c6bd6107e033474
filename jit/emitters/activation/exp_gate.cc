#include "jit/emitters/activation/exp_gate.h"

#include <cstdint>
#include <limits>

#include "jit/emitters/elementary/exp_parts.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

constexpr int32_t kOne = 0x3f800000;
constexpr int kMantissaBits = 23;
// With this, n is -254: the first of its two factors is 2^-127, which the exponent of a float spells as 0. Numbers x
// that 2^-253 leaves more than 0 of belong to factors below kExpGateLowestFactor.
constexpr float kLowest = -175.9f;

// Limits x, which is -|x|, so that n has two factors.
void LimitArgument(VecAvx2& v, const VecGroup& x, float factor) {
  // In this order of operands, NaN stays.
  v.Max(x, v.ConstReg(kLowest / factor), x);
}

// There, any n will do, but r may be large or NaN where n is.
void LimitArgument(VecAvx512&, const VecGroup&, float) {}

void LimitRemainder(VecAvx2&, const VecGroup&) {}

void LimitRemainder(VecAvx512& v, const VecGroup& r) {
  // The lesser magnitude, with the sign of the first source; of NaN and a number, the number.
  constexpr uint8_t kLesserMagnitude = 0x2;
  const VecReg half = v.ConstReg(0.5f);
  for (int i = 0; i < r.size(); ++i) v.code().vrangeps(r[i], r[i], half, kLesserMagnitude);
}

// Sets e to p 2^n, and multiplies x by 2^n where `decays` is set.
void Scale(VecAvx2& v, const VecGroup& x, const VecAvx2::Mask& decays, const VecGroup& p, const VecGroup& n,
           const VecGroup& e) {
  const VecRegs half = v.New("gate_half", x.size());
  v.FloatToI32(n, n);
  v.ShiftRightI32(half, n, 1);
  v.SubI32(n, n, half);
  for (const VecGroup& power : {VecGroup(half), n}) {
    v.ShiftLeftI32(power, power, kMantissaBits);
    v.AddI32(power, power, v.Const(kOne));
  }
  v.Mul(e, p, half);
  v.Mul(e, e, n);
  v.Mul(half, x, half);
  v.Mul(half, half, n);
  v.Select(x, decays, half, x);
}

void Scale(VecAvx512& v, const VecGroup& x, const VecAvx512::Mask& decays, const VecGroup& p, const VecGroup& n,
           const VecGroup& e) {
  for (int i = 0; i < x.size(); ++i) v.code().vscalefps(e[i], p[i], n[i]);
  for (int i = 0; i < x.size(); ++i) v.code().vscalefps(x[i] | decays[i], x[i], n[i]);
}

}  // namespace

template <class V>
void EmitExpGate(V& v, const VecGroup& x, const typename V::Mask& decays, float factor, const VecGroup& p,
                 const VecGroup& e) {
  const VecRegs n = v.New("gate_n", x.size());
  const bool is_plain = factor == 1;
  const VecGroup argument = is_plain ? e : p;
  v.Or(argument, x, v.Const(std::numeric_limits<int32_t>::min()));
  LimitArgument(v, argument, factor);
  if (is_plain) {
    EmitReduceExponent(v, e, n);
  } else {
    EmitReduceExponent(v, e, n, p, factor);
  }
  LimitRemainder(v, e);
  EmitExpOfRemainder(v, p, e);
  Scale(v, x, decays, p, n, e);
}

template void EmitExpGate(VecAvx2&, const VecGroup&, const VecAvx2::Mask&, float, const VecGroup&, const VecGroup&);
template void EmitExpGate(VecAvx512&, const VecGroup&, const VecAvx512::Mask&, float, const VecGroup&, const VecGroup&);

}  // namespace burin::jit
