#include "jit/emitters/wide/f64_modulo.h"

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
#include "jit/emitters/wide/wide_masks.h"

namespace burin::jit {
namespace {

constexpr int64_t kSign = std::numeric_limits<int64_t>::min();
constexpr int64_t kAllButSign = std::numeric_limits<int64_t>::max();
constexpr uint8_t kNotLess = 0x15;
constexpr int kScalings = 2;

void JumpIfAny(VecAvx2& v, const VecReg& mask, const Label& label) {
  v.code().vtestpd(mask, mask);
  v.code().jnz(label);
}
void JumpIfAny(VecAvx512& v, const MaskReg& mask, const Label& label) {
  v.code().kortestb(mask, mask);
  v.code().jnz(label);
}

void MaskOfSigns(VecAvx2& v, const VecReg& mask, const Xmm& x) { v.code().vmovapd(mask, x); }
void MaskOfSigns(VecAvx512& v, const MaskReg& mask, const Xmm& x) { v.code().vpmovq2m(mask, x); }

// Sets `divisor` to y, or y times a power of two where |x| is as large. Changes `t`.
template <class V>
void ChooseDivisor(V& v, const Xmm& divisor, const Xmm& magnitude, const Xmm& y, const Xmm& t) {
  const typename V::MaskRegister larger = v.NewMask("larger");
  v.code().vmovapd(divisor, y);
  v.code().vmovapd(t, y);
  for (int i = 0; i < kScalings; ++i) {
    v.code().vmulpd(t, t, WideConst(v, 0x1p600));
    CompareF64(v, larger, magnitude, t, VecCompare::kGreaterEqual);
    SelectWide(v, divisor, larger, t, divisor);
  }
}

// Replaces x >= 0 by its remainders modulo y >= 0.
template <class V>
void Reduce(V& v, const Xmm& x, const Xmm& y) {
  Assembler& code = v.code();
  const typename V::MaskRegister pending = v.NewMask("pending");
  const VecReg divisor = v.New("divisor");
  const VecReg quotient = v.New("quotient");
  const VecReg t = v.New("t");
  Label step;
  // Takes NaN along, once.
  code.vcmppd(pending, x, y, kNotLess);
  code.Bind(step);
  code.vandpd(quotient, x, WideConst(v, kAllButSign));
  ChooseDivisor(v, divisor, quotient, y, t);
  code.vdivpd(quotient, x, divisor);
  RoundF64(v, quotient, VecRounding::kTowardsZero);
  code.vmovapd(t, x);
  code.vfnmadd231pd(t, quotient, divisor);
  SelectWide(v, x, pending, t, x);
  code.vandpd(t, x, WideConst(v, kAllButSign));
  CompareF64(v, pending, t, y, VecCompare::kGreaterEqual);
  JumpIfAny(v, pending, step);
  // A quotient that was rounded up leaves less than nothing.
  code.vaddpd(t, x, y);
  MaskOfSigns(v, pending, x);
  SelectWide(v, x, pending, t, x);
}

}  // namespace

// Registers take turns: what limits them all is the divider.
template <class V>
void EmitModF64(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& y) {
  const VecReg modulus = v.New("modulus");
  for (int i = 0; i < to.size(); ++i) {
    v.code().vandpd(to[i], x[i], WideConst(v, kAllButSign));
    v.code().vandpd(modulus, y[i], WideConst(v, kAllButSign));
    Reduce(v, to[i], modulus);
    v.code().vandpd(modulus, x[i], WideConst(v, kSign));
    v.code().vorpd(to[i], to[i], modulus);
  }
}

template <class V>
void EmitFloorModF64(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& y) {
  EmitModF64(v, to, x, y);
  const VecReg sum = v.New("sum");
  const typename V::MaskRegister mask = v.NewMask("mask");
  for (int i = 0; i < to.size(); ++i) {
    // y where the signs differ.
    v.code().vxorpd(sum, to[i], y[i]);
    MaskOfSigns(v, mask, sum);
    v.code().vaddpd(sum, to[i], y[i]);
    SelectWide(v, sum, mask, sum, to[i]);
    CompareF64(v, mask, to[i], WideConst(v, 0.0), VecCompare::kNotEqual);
    SelectWide(v, to[i], mask, sum, to[i]);
  }
}

template void EmitModF64(VecAvx2&, const VecGroup&, const VecGroup&, const VecGroup&);
template void EmitModF64(VecAvx512&, const VecGroup&, const VecGroup&, const VecGroup&);
template void EmitFloorModF64(VecAvx2&, const VecGroup&, const VecGroup&, const VecGroup&);
template void EmitFloorModF64(VecAvx512&, const VecGroup&, const VecGroup&, const VecGroup&);

}  // namespace burin::jit
