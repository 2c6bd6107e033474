#include "jit/emitters/elementary/exp.h"

#include <cstdint>

#include "jit/asm/assembler.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/elementary/exp_parts.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

// Beyond these the result is infinite or zero.
constexpr float kHighest = 89.0f;
constexpr float kHighestOfHalf = 90.0f;
constexpr float kLowest = -105.0f;

// Replaces x between those by e^x times 2^offset.
template <class V>
void EmitBetween(V& v, const VecGroup& x, float offset) {
  const VecRegs n = v.New("exp_n", x.size());
  const VecRegs p = v.New("exp_p", x.size());
  EmitReduceExponent(v, x, n);
  EmitExpOfRemainder(v, p, x);
  if (offset != 0) v.Add(n, n, v.Const(offset));
  EmitScaleByPowerOfTwo(v, x, p, n);
}

}  // namespace

template <class V>
void EmitExpOfNonPositive(V& v, const VecGroup& x) {
  // In this order of operands, NaN stays.
  v.Max(x, v.ConstReg(kLowest), x);
  EmitBetween(v, x, 0);
}

template <class V>
void EmitHalfExpOfNonNegative(V& v, const VecGroup& x) {
  // In this order of operands, NaN stays.
  v.Min(x, v.ConstReg(kHighestOfHalf), x);
  EmitBetween(v, x, -1);
}

template <>
void EmitExp(VecAvx2& v, const VecGroup& x) {
  // In these orders of operands, NaN stays.
  v.Min(x, v.ConstReg(kHighest), x);
  v.Max(x, v.ConstReg(kLowest), x);
  EmitBetween(v, x, 0);
}

// The instruction that scales takes any exponent, infinities and NaN included, as long as what it scales is a positive
// number. So it is enough to keep the remainder of what is beyond the range, or NaN, near where it belongs: one
// instruction for two. The remainder is at most 0.35 in magnitude otherwise.
template <>
void EmitExp(VecAvx512& v, const VecGroup& x) {
  constexpr uint8_t kSmallerMagnitudeSignOfFirst = 0b0010;
  const VecRegs n = v.New("exp_n", x.size());
  const VecRegs p = v.New("exp_p", x.size());
  EmitReduceExponent(v, x, n);
  {
    const VecReg most = v.ConstReg(0.5f);
    for (int i = 0; i < x.size(); ++i) v.code().vrangeps(x[i], x[i], most, kSmallerMagnitudeSignOfFirst);
  }
  EmitExpOfRemainder(v, p, x);
  EmitScaleByPowerOfTwo(v, x, p, n);
}

template void EmitExpOfNonPositive(VecAvx2&, const VecGroup&);
template void EmitExpOfNonPositive(VecAvx512&, const VecGroup&);
template void EmitHalfExpOfNonNegative(VecAvx2&, const VecGroup&);
template void EmitHalfExpOfNonNegative(VecAvx512&, const VecGroup&);

}  // namespace burin::jit
