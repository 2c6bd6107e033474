#include "jit/emitters/wide/wide_conversion.h"

#include <cstdint>

#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/arithmetic/f64_halves.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"
#include "jit/emitters/wide/i64_lanes.h"
#include "jit/emitters/wide/wide_function.h"
#include "jit/emitters/wide/wide_masks.h"

namespace burin::jit {
namespace {

// Sets both registers of each vector of `to`: widen(to, from, half) that of a half.
template <class Widen>
void EachHalf(const VecGroup& to, const VecGroup& x, const Widen& widen) {
  for (int k = 0; k < to.size(); k += kWideRegs) {
    widen(to[k], x[k / kWideRegs], VecHalf::kLow);
    widen(to[k + 1], x[k / kWideRegs], VecHalf::kHigh);
  }
}

// Sets each vector of `to` from two registers: narrow(to, from) sets the low half of `to` to one.
template <class V, class Narrow>
void JoinEach(V& v, const VecGroup& to, const VecGroup& x, const Narrow& narrow) {
  const VecReg high = v.New("high");
  for (int i = 0; i < to.size(); ++i) {
    narrow(to[i], x[kWideRegs * i]);
    narrow(high, x[kWideRegs * i + 1]);
    JoinHalves(v, to[i], high);
  }
}

void ExtendI32(VecAvx2& v, const Xmm& to, const Xmm& x, VecHalf half) {
  if (half == VecHalf::kHigh) v.code().vextracti128(AsXmm(to), AsYmm(x), 1);
  v.code().vpmovsxdq(AsYmm(to), AsXmm(half == VecHalf::kHigh ? to : x));
}
void ExtendI32(VecAvx512& v, const Xmm& to, const Xmm& x, VecHalf half) {
  if (half == VecHalf::kHigh) v.code().vextracti64x4(AsYmm(to), AsZmm(x), 1);
  v.code().vpmovsxdq(AsZmm(to), AsYmm(half == VecHalf::kHigh ? to : x));
}

// Makes floats of integers, in the low half of `to`.
void I64ToF32(VecAvx2& v, const Xmm& to, const Xmm& x) {
  const VecReg odd = v.New("rounded");
  v.Copy(VecGroup(odd), VecGroup(x));
  RoundI64ToOdd(v, odd);
  I64ToF64(v, odd, odd);
  F64ToF32(v, to, odd);
}
void I64ToF32(VecAvx512& v, const Xmm& to, const Xmm& x) { v.code().vcvtqq2ps(AsYmm(to), AsZmm(x)); }

// Rounds doubles to odd numbers of 12 bits after the first, where they have more.
template <class V>
void RoundF64ToOdd(V& v, const Xmm& to, const Xmm& x) {
  constexpr int64_t kLow = (int64_t{1} << 40) - 1;
  Assembler& code = v.code();
  // A carry out of the low bits where one of them is set; then the rest is cleared.
  code.vandpd(to, x, WideConst(v, kLow));
  code.vpaddq(to, to, WideConst(v, kLow));
  code.vorpd(to, to, x);
  code.vandpd(to, to, WideConst(v, ~kLow));
}

// Sets the low half of `to` to integers.
template <class V>
void F64ToI32Saturated(V& v, const Xmm& to, const Xmm& x) {
  const typename V::MaskRegister ordered = v.NewMask("ordered");
  CompareF64(v, ordered, x, x, VecCompare::kEqual);
  v.code().vmaxpd(to, x, WideConst(v, -0x1p31));
  v.code().vminpd(to, to, WideConst(v, 0x1p31 - 1));
  KeepWideWhere(v, ordered, to);
  F64ToI32(v, to, to);
}

void I64ToI32(VecAvx2& v, const VecGroup& to, const VecGroup& x) {
  for (int i = 0; i < to.size(); ++i) {
    v.code().vshufps(to[i], x[kWideRegs * i], x[kWideRegs * i + 1], 0x88);
    v.code().vpermq(AsYmm(to[i]), AsYmm(to[i]), 0xD8);
  }
}
void I64ToI32(VecAvx512& v, const VecGroup& to, const VecGroup& x) {
  JoinEach(v, to, x, [&](const Xmm& half, const Xmm& from) { v.code().vpmovqd(AsYmm(half), AsZmm(from)); });
}

}  // namespace

template <class V>
void EmitConvertF32ToF64(V& v, const VecGroup& to, const VecGroup& x) {
  EachHalf(to, x, [&](const Xmm& wide, const Xmm& from, VecHalf half) { F32ToF64(v, wide, from, half); });
}

template <class V>
void EmitConvertI32ToF64(V& v, const VecGroup& to, const VecGroup& x) {
  EachHalf(to, x, [&](const Xmm& wide, const Xmm& from, VecHalf half) { I32ToF64(v, wide, from, half); });
}

template <class V>
void EmitConvertF32ToI64(V& v, const VecGroup& to, const VecGroup& x) {
  const VecReg real = v.New("double");
  EachHalf(to, x, [&](const Xmm& wide, const Xmm& from, VecHalf half) {
    F32ToF64(v, real, from, half);
    F64ToI64(v, wide, real);
  });
}

template <class V>
void EmitConvertI32ToI64(V& v, const VecGroup& to, const VecGroup& x) {
  EachHalf(to, x, [&](const Xmm& wide, const Xmm& from, VecHalf half) { ExtendI32(v, wide, from, half); });
}

template <class V>
void EmitConvertF64ToF32(V& v, const VecGroup& to, const VecGroup& x) {
  JoinEach(v, to, x, [&](const Xmm& half, const Xmm& from) { F64ToF32(v, half, from); });
}

template <class V>
void EmitConvertI64ToF32(V& v, const VecGroup& to, const VecGroup& x) {
  JoinEach(v, to, x, [&](const Xmm& half, const Xmm& from) { I64ToF32(v, half, from); });
}

template <class V>
void EmitConvertF64ToF32ForNarrowing(V& v, const VecGroup& to, const VecGroup& x) {
  JoinEach(v, to, x, [&](const Xmm& half, const Xmm& from) {
    RoundF64ToOdd(v, half, from);
    F64ToF32(v, half, half);
  });
}

template <class V>
void EmitConvertI64ToF32ForNarrowing(V& v, const VecGroup& to, const VecGroup& x) {
  JoinEach(v, to, x, [&](const Xmm& half, const Xmm& from) {
    const VecReg real = v.New("double");
    v.Copy(VecGroup(real), VecGroup(from));
    RoundI64ToOdd(v, real);
    I64ToF64(v, real, real);
    RoundF64ToOdd(v, half, real);
    F64ToF32(v, half, half);
  });
}

template <class V>
void EmitConvertF64ToI32(V& v, const VecGroup& to, const VecGroup& x) {
  JoinEach(v, to, x, [&](const Xmm& half, const Xmm& from) { F64ToI32Saturated(v, half, from); });
}

template <class V>
void EmitConvertI64ToI32(V& v, const VecGroup& to, const VecGroup& x) {
  I64ToI32(v, to, x);
}

template <class V>
void EmitConvertF64ToI64(V& v, const VecGroup& to, const VecGroup& x) {
  for (int i = 0; i < to.size(); ++i) F64ToI64(v, to[i], x[i]);
}

template <class V>
void EmitConvertI64ToF64(V& v, const VecGroup& to, const VecGroup& x) {
  for (int i = 0; i < to.size(); ++i) I64ToF64(v, to[i], x[i]);
}

#define BURIN_INSTANTIATE(name)                                   \
  template void name(VecAvx2&, const VecGroup&, const VecGroup&); \
  template void name(VecAvx512&, const VecGroup&, const VecGroup&)

BURIN_INSTANTIATE(EmitConvertF32ToF64);
BURIN_INSTANTIATE(EmitConvertI32ToF64);
BURIN_INSTANTIATE(EmitConvertF32ToI64);
BURIN_INSTANTIATE(EmitConvertI32ToI64);
BURIN_INSTANTIATE(EmitConvertF64ToF32);
BURIN_INSTANTIATE(EmitConvertI64ToF32);
BURIN_INSTANTIATE(EmitConvertF64ToF32ForNarrowing);
BURIN_INSTANTIATE(EmitConvertI64ToF32ForNarrowing);
BURIN_INSTANTIATE(EmitConvertF64ToI32);
BURIN_INSTANTIATE(EmitConvertI64ToI32);
BURIN_INSTANTIATE(EmitConvertF64ToI64);
BURIN_INSTANTIATE(EmitConvertI64ToF64);

#undef BURIN_INSTANTIATE

}  // namespace burin::jit
