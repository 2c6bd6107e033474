#include "jit/emitters/wide/i64_division.h"

#include <cstdint>
#include <limits>

#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/arithmetic/f64_halves.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"
#include "jit/emitters/wide/i64_lanes.h"
#include "jit/emitters/wide/wide_masks.h"

namespace burin::jit {
namespace {

// Makes integers of integral doubles of a small magnitude.
void SmallToI64(VecAvx2& v, const Xmm& x) {
  v.code().vcvttpd2dq(AsXmm(x), AsYmm(x));
  v.code().vpmovsxdq(AsYmm(x), AsXmm(x));
}
void SmallToI64(VecAvx512& v, const Xmm& x) { v.code().vcvttpd2qq(x, x); }

// Sets `to` to |x| as a double.
template <class V>
void MagnitudeToF64(V& v, const Xmm& to, const Xmm& x) {
  I64ToF64(v, to, x);
  v.code().vandpd(to, to, WideConst(v, std::numeric_limits<int64_t>::max()));
}

// Sets `quotient` and `remainder` to those of |x| and |y|, as unsigned integers; to anything where y is 0.
template <class V>
void DivideMagnitudes(V& v, const Xmm& quotient, const Xmm& remainder, const Xmm& x, const Xmm& y) {
  Assembler& code = v.code();
  const VecReg divisor = v.New("divisor");
  const VecReg magnitude = v.New("magnitude");
  const VecReg t = v.New("t");
  MagnitudeToF64(v, divisor, y);
  MagnitudeToF64(v, t, x);
  code.vdivpd(t, t, divisor);
  F64ToI64(v, quotient, t);
  MagnitudeI64(v, magnitude, y);
  MagnitudeI64(v, remainder, x);
  MultiplyI64(v, t, quotient, magnitude);
  code.vpsubq(remainder, remainder, t);
  // What is left, once more.
  I64ToF64(v, t, remainder);
  code.vdivpd(t, t, divisor);
  RoundF64(v, t, VecRounding::kDown);
  SmallToI64(v, t);
  code.vpaddq(quotient, quotient, t);
  MultiplyI64(v, t, t, magnitude);
  code.vpsubq(remainder, remainder, t);
  // Off by one: below 0, or not below the divisor.
  SignsOfI64(v, t, remainder);
  code.vpaddq(quotient, quotient, t);
  code.vandpd(t, t, magnitude);
  code.vpaddq(remainder, remainder, t);
  code.vpsubq(divisor, remainder, magnitude);
  SignsOfI64(v, t, divisor);
  code.vpaddq(quotient, quotient, t);
  code.vpsubq(quotient, quotient, WideConst(v, int64_t{-1}));
  code.vandnpd(t, t, magnitude);
  code.vpsubq(remainder, remainder, t);
}

// Negates where `signs` has all bits set.
template <class V>
void NegateWhere(V& v, const Xmm& x, const Xmm& signs) {
  v.code().vxorpd(x, x, signs);
  v.code().vpsubq(x, x, signs);
}

enum class Wanted : uint8_t { kQuotient, kRemainder };

// Emits one of both, of numbers with their signs, of a quotient rounded towards zero or down.
template <class V>
void Divide(V& v, const Xmm& to, const Xmm& x, const Xmm& y, Wanted wanted, VecRounding rounding) {
  Assembler& code = v.code();
  const VecReg other = v.New("other");
  const Xmm& quotient = wanted == Wanted::kQuotient ? to : other;
  const Xmm& remainder = wanted == Wanted::kQuotient ? static_cast<const Xmm&>(other) : to;
  DivideMagnitudes(v, quotient, remainder, x, y);
  const VecReg signs = v.New("signs");
  const VecReg t = v.New("t");
  const typename V::MaskRegister mask = v.NewMask("mask");
  code.vxorpd(t, x, y);
  SignsOfI64(v, signs, t);
  if (wanted == Wanted::kQuotient) NegateWhere(v, quotient, signs);
  v.Zero(VecGroup(t));
  if (rounding == VecRounding::kDown) {
    // Where the division leaves something and the signs differ, the quotient is one less.
    CompareI64(v, mask, remainder, t, VecCompareI32::kNotEqual);
    KeepWideWhere(v, mask, signs);
    if (wanted == Wanted::kQuotient) code.vpaddq(quotient, quotient, signs);
  }
  if (wanted == Wanted::kRemainder) {
    SignsOfI64(v, quotient, x);
    NegateWhere(v, remainder, quotient);
    if (rounding == VecRounding::kDown) {
      code.vandpd(signs, signs, y);
      code.vpaddq(remainder, remainder, signs);
    }
  }
  CompareI64(v, mask, y, t, VecCompareI32::kNotEqual);
  KeepWideWhere(v, mask, to);
}

// Registers take turns: what limits them all is the divider.
template <class V>
void DivideEach(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& y, Wanted wanted, VecRounding rounding) {
  for (int i = 0; i < to.size(); ++i) Divide(v, to[i], x[i], y[i], wanted, rounding);
}

}  // namespace

template <class V>
void EmitDivideI64(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& y) {
  DivideEach(v, to, x, y, Wanted::kQuotient, VecRounding::kTowardsZero);
}

template <class V>
void EmitFloorDivideI64(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& y) {
  DivideEach(v, to, x, y, Wanted::kQuotient, VecRounding::kDown);
}

template <class V>
void EmitModI64(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& y) {
  DivideEach(v, to, x, y, Wanted::kRemainder, VecRounding::kTowardsZero);
}

template <class V>
void EmitFloorModI64(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& y) {
  DivideEach(v, to, x, y, Wanted::kRemainder, VecRounding::kDown);
}

template void EmitDivideI64(VecAvx2&, const VecGroup&, const VecGroup&, const VecGroup&);
template void EmitDivideI64(VecAvx512&, const VecGroup&, const VecGroup&, const VecGroup&);
template void EmitFloorDivideI64(VecAvx2&, const VecGroup&, const VecGroup&, const VecGroup&);
template void EmitFloorDivideI64(VecAvx512&, const VecGroup&, const VecGroup&, const VecGroup&);
template void EmitModI64(VecAvx2&, const VecGroup&, const VecGroup&, const VecGroup&);
template void EmitModI64(VecAvx512&, const VecGroup&, const VecGroup&, const VecGroup&);
template void EmitFloorModI64(VecAvx2&, const VecGroup&, const VecGroup&, const VecGroup&);
template void EmitFloorModI64(VecAvx512&, const VecGroup&, const VecGroup&, const VecGroup&);

}  // namespace burin::jit
