#include "jit/emitters/arithmetic/modulo.h"

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

namespace burin::jit {
namespace {

constexpr int64_t kAllButSign = std::numeric_limits<int64_t>::max();
constexpr uint8_t kNotLess = 0x15;
constexpr uint8_t kGreaterEqual = 0x1d;

// Sets `to` to the magnitudes of doubles.
void MagnitudeF64(VecAvx2& v, const Xmm& to, const Xmm& x) {
  v.code().vandpd(to, x, v.code().Repeated(kAllButSign, 32));
}
void MagnitudeF64(VecAvx512& v, const Xmm& to, const Xmm& x) {
  v.code().vandpd(to, x, v.code().BroadcastAt(v.code().constants().Scalar(kAllButSign)));
}

// Replaces the doubles x >= 0 by their remainders modulo y >= 0.
void ReduceHalf(VecAvx2& v, const Xmm& x, const Xmm& y) {
  Assembler& code = v.code();
  const VecReg pending = v.New("pending");
  const VecReg quotient = v.New("quotient");
  const VecReg remainder = v.New("remainder");
  Label step;
  // Takes NaN along, once.
  code.vcmppd(pending, x, y, kNotLess);
  code.Bind(step);
  code.vdivpd(quotient, x, y);
  RoundF64(v, quotient, VecRounding::kTowardsZero);
  code.vmovapd(remainder, x);
  code.vfnmadd231pd(remainder, quotient, y);
  code.vblendvpd(x, x, remainder, pending);
  MagnitudeF64(v, remainder, x);
  code.vcmppd(pending, remainder, y, kGreaterEqual);
  code.vptest(AsYmm(pending), AsYmm(pending));
  code.jnz(step);
  code.vaddpd(remainder, x, y);
  code.vblendvpd(x, x, remainder, x);
}

void ReduceHalf(VecAvx512& v, const Xmm& x, const Xmm& y) {
  Assembler& code = v.code();
  const MaskReg pending = v.NewMask("pending");
  const VecReg quotient = v.New("quotient");
  Label step;
  // Takes NaN along, once.
  code.vcmppd(pending, x, y, kNotLess);
  code.Bind(step);
  code.vdivpd(quotient, x, y);
  RoundF64(v, quotient, VecRounding::kTowardsZero);
  code.vfnmadd231pd(x | pending, quotient, y);
  MagnitudeF64(v, quotient, x);
  code.vcmppd(pending, quotient, y, kGreaterEqual);
  code.kortestb(pending, pending);
  code.jnz(step);
  code.vpmovq2m(pending, x);
  code.vaddpd(x | pending, x, y);
}

// Sets the low half of `to` to the magnitudes of the remainders of half of a and b. `to` is neither.
template <class V>
void ModuloHalf(V& v, const Xmm& to, const Xmm& a, const Xmm& b, VecHalf half) {
  const VecReg divisor = v.New("divisor");
  F32ToF64(v, to, a, half);
  F32ToF64(v, divisor, b, half);
  MagnitudeF64(v, to, to);
  MagnitudeF64(v, divisor, divisor);
  ReduceHalf(v, to, divisor);
  F64ToF32(v, to, to);
}

}  // namespace

// Vectors take turns with the registers: what limits them all is the divider.
template <class V>
void EmitMod(V& v, const VecGroup& x, const VecGroup& y) {
  for (int i = 0; i < x.size(); ++i) {
    const VecReg remainder = v.New("remainder");
    {
      const VecReg high = v.New("high");
      ModuloHalf(v, high, x[i], y[i], VecHalf::kHigh);
      ModuloHalf(v, remainder, x[i], y[i], VecHalf::kLow);
      JoinHalves(v, remainder, high);
    }
    v.And(x[i], x[i], v.Const(std::numeric_limits<int32_t>::min()));
    v.Or(x[i], x[i], remainder);
  }
}

template <class V>
void EmitFloorMod(V& v, const VecGroup& x, const VecGroup& y) {
  EmitMod(v, x, y);
  for (int i = 0; i < x.size(); ++i) {
    const typename V::Mask opposite = v.NewMask("opposite", 1);
    const typename V::Mask not_zero = v.NewMask("not_zero", 1);
    const VecReg sum = v.New("sum");
    v.Xor(sum, x[i], y[i]);
    v.MaskOfSigns(opposite, sum);
    v.Compare(not_zero, x[i], v.Const(0.0f), VecCompare::kNotEqual);
    v.AndMasks(opposite, opposite, not_zero);
    v.Add(sum, x[i], y[i]);
    v.Select(x[i], opposite, sum, x[i]);
  }
}

template void EmitMod(VecAvx2&, const VecGroup&, const VecGroup&);
template void EmitMod(VecAvx512&, const VecGroup&, const VecGroup&);
template void EmitFloorMod(VecAvx2&, const VecGroup&, const VecGroup&);
template void EmitFloorMod(VecAvx512&, const VecGroup&, const VecGroup&);

}  // namespace burin::jit
