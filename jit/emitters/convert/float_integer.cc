#include "jit/emitters/convert/float_integer.h"

#include <cstdint>

#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/convert/where.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

constexpr uint32_t kAllBits = 0xFFFFFFFF;

// Converts by the instruction, which gives INT32_MIN for what is out of range.
template <class V>
void ConvertInRange(V& v, const VecGroup& x, VecRounding rounding) {
  if (rounding == VecRounding::kNearestEven) {
    v.FloatToI32(x, x);
    return;
  }
  if (rounding != VecRounding::kTowardsZero) v.Round(x, x, rounding);
  v.TruncateToI32(x, x);
}

// Replaces NaN by 0, with `mask` for the time being.
template <class V>
void ZeroNan(V& v, const typename V::Mask& mask, const VecGroup& x) {
  v.Compare(mask, x, x, VecCompare::kEqual);
  internal::KeepWhere(v, mask, x);
}

// Replaces NaN and what is negative by 0.
template <class V>
void ZeroNanAndNegative(V& v, const VecGroup& x) {
  // The instruction returns its second source where one is NaN.
  v.Max(x, x, v.Const(0.0f));
}

void UnsignedInRange(VecAvx2& v, const VecGroup& x) {
  // What has bit 31 goes without it through the signed conversion. Such a float is an integer: no rounding matters.
  const VecAvx2::Mask big = v.NewMask("big", x.size());
  {
    const VecReg border = v.ConstReg(0x1p31f);
    const VecReg excess = v.New("excess");
    v.Compare(big, x, border, VecCompare::kGreaterEqual);
    for (int i = 0; i < x.size(); ++i) {
      v.And(excess, big[i], border);
      v.Sub(x[i], x[i], excess);
    }
  }
  v.TruncateToI32(x, x);
  v.ShiftLeftI32(big, big, 31);
  v.Xor(x, x, big);
}

void F32ToU32(VecAvx2& v, const VecGroup& x, VecRounding rounding) {
  v.Round(x, x, rounding);
  ZeroNanAndNegative(v, x);
  const VecAvx2::Mask over = v.NewMask("over", x.size());
  v.Compare(over, x, v.Const(0x1p32f), VecCompare::kGreaterEqual);
  UnsignedInRange(v, x);
  internal::OrWhere(v, over, x, kAllBits);
}

void F32ToU32(VecAvx512& v, const VecGroup& x, VecRounding rounding) {
  if (rounding != VecRounding::kNearestEven && rounding != VecRounding::kTowardsZero) v.Round(x, x, rounding);
  ZeroNanAndNegative(v, x);
  // Gives the largest integer for what is too large.
  for (int i = 0; i < x.size(); ++i) {
    if (rounding == VecRounding::kNearestEven) {
      v.code().vcvtps2udq(x[i], x[i]);
    } else {
      v.code().vcvttps2udq(x[i], x[i]);
    }
  }
}

void U32ToF32(VecAvx2& v, const VecGroup& x) {
  // Both halves of 16 bits are exact floats, and the fused multiply-add rounds once.
  const VecRegs low = v.New("low", x.size());
  v.And(low, x, v.Const(0xFFFFu));
  v.ShiftRightU32(x, x, 16);
  v.I32ToFloat(low, low);
  v.I32ToFloat(x, x);
  const VecReg scale = v.ConstReg(0x1p16f);
  v.ScaleAdd(x, scale, low);
}

void U32ToF32(VecAvx512& v, const VecGroup& x) {
  for (int i = 0; i < x.size(); ++i) v.code().vcvtudq2ps(x[i], x[i]);
}

}  // namespace

template <class V>
void EmitConvertF32ToI32(V& v, const VecGroup& x, VecRounding rounding) {
  const typename V::Mask mask = v.NewMask("mask", x.size());
  ZeroNan(v, mask, x);
  v.Compare(mask, x, v.Const(0x1p31f), VecCompare::kGreaterEqual);
  ConvertInRange(v, x, rounding);
  // From INT32_MIN to INT32_MAX.
  internal::XorWhere(v, mask, x, kAllBits);
}

template <class V>
void EmitConvertF32ToU32(V& v, const VecGroup& x, VecRounding rounding) {
  F32ToU32(v, x, rounding);
}

template <class V>
void EmitConvertI32ToF32(V& v, const VecGroup& x) {
  v.I32ToFloat(x, x);
}

template <class V>
void EmitConvertU32ToF32(V& v, const VecGroup& x) {
  U32ToF32(v, x);
}

template <class V>
void EmitConvertI32ToF32ForNarrowing(V& v, const VecGroup& x) {
  // From 2^24 on, the lowest 7 of at most 31 bits are made one: they are cut off, and the bit above set in their stead.
  // Two's complement rounds down where they are cut off, so that the odd number is next to the exact one in any case.
  constexpr uint32_t kLow = 0x7F;
  const VecRegs odd = v.New("odd", x.size());
  const typename V::Mask big = v.NewMask("big", x.size());
  v.AbsI32(odd, x);
  // INT32_MIN, whose absolute value is negative, is a float.
  v.CompareI32(big, odd, v.Const((1 << 24) - 1), VecCompareI32::kGreater);
  v.And(odd, x, v.Const(kLow));
  // A carry out of the low bits where one of them is set; then the rest is cleared.
  v.AddI32(odd, odd, v.Const(kLow));
  v.Or(odd, odd, x);
  v.And(odd, odd, v.Const(~kLow));
  v.Select(x, big, odd, x);
  v.I32ToFloat(x, x);
}

template <class V>
void EmitConvertF32ToBoolean(V& v, const VecGroup& x) {
  v.And(x, x, v.Const(0x7FFFFFFF));
  v.MinU32(x, x, v.Const(1));
}

template <class V>
void EmitConvertI32ToBoolean(V& v, const VecGroup& x) {
  v.MinU32(x, x, v.Const(1));
}

template <class V>
void EmitConvertF32ToNarrow(V& v, const VecGroup& x, VecRounding rounding, int bits, bool is_signed) {
  if (is_signed) {
    const typename V::Mask ordered = v.NewMask("ordered", x.size());
    ZeroNan(v, ordered, x);
  } else {
    ZeroNanAndNegative(v, x);
  }
  const int max = (1 << (is_signed ? bits - 1 : bits)) - 1;
  v.Min(x, x, v.Const(static_cast<float>(max)));
  ConvertInRange(v, x, rounding);
}

template void EmitConvertF32ToI32(VecAvx2&, const VecGroup&, VecRounding);
template void EmitConvertF32ToI32(VecAvx512&, const VecGroup&, VecRounding);
template void EmitConvertF32ToU32(VecAvx2&, const VecGroup&, VecRounding);
template void EmitConvertF32ToU32(VecAvx512&, const VecGroup&, VecRounding);
template void EmitConvertI32ToF32(VecAvx2&, const VecGroup&);
template void EmitConvertI32ToF32(VecAvx512&, const VecGroup&);
template void EmitConvertU32ToF32(VecAvx2&, const VecGroup&);
template void EmitConvertU32ToF32(VecAvx512&, const VecGroup&);
template void EmitConvertI32ToF32ForNarrowing(VecAvx2&, const VecGroup&);
template void EmitConvertI32ToF32ForNarrowing(VecAvx512&, const VecGroup&);
template void EmitConvertF32ToBoolean(VecAvx2&, const VecGroup&);
template void EmitConvertF32ToBoolean(VecAvx512&, const VecGroup&);
template void EmitConvertI32ToBoolean(VecAvx2&, const VecGroup&);
template void EmitConvertI32ToBoolean(VecAvx512&, const VecGroup&);
template void EmitConvertF32ToNarrow(VecAvx2&, const VecGroup&, VecRounding, int, bool);
template void EmitConvertF32ToNarrow(VecAvx512&, const VecGroup&, VecRounding, int, bool);

namespace internal {

void EmitUnsignedInRange(VecAvx2& v, const VecGroup& x) { UnsignedInRange(v, x); }

}  // namespace internal
}  // namespace burin::jit
