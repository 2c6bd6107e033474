#include "jit/emitters/convert/wide_elements.h"

#include <cstddef>
#include <cstdint>

#include "base/check.h"
#include "base/element_type.h"
#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/convert/float_integer.h"
#include "jit/emitters/convert/where.h"
#include "jit/emitters/memory/raw_load.h"
#include "jit/emitters/memory/raw_store.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit::internal {
namespace {

constexpr uint32_t kSign = 0x80000000;
constexpr uint32_t kAllBits = 0xFFFFFFFF;

// Returns the address of a vector of `bits` bits that repeats an element of 8 bytes.
template <class T>
Address Repeated(Assembler& code, T value, int bits) {
  static_assert(sizeof(T) == 8, "an element is 64 bits wide");
  return code.Repeated(value, static_cast<size_t>(bits / 8));
}

// Joins the lower halves of two vectors, and takes the upper half of one.
void JoinHalves(VecAvx2& v, const Xmm& to, const Xmm& low, const Xmm& high) {
  v.code().vinsertf128(AsYmm(to), AsYmm(low), AsXmm(high), 1);
}
void JoinHalves(VecAvx512& v, const Xmm& to, const Xmm& low, const Xmm& high) {
  v.code().vinsertf64x4(AsZmm(to), AsZmm(low), AsYmm(high), 1);
}
void UpperHalf(VecAvx2& v, const Xmm& to, const Xmm& from) { v.code().vextractf128(AsXmm(to), AsYmm(from), 1); }
void UpperHalf(VecAvx512& v, const Xmm& to, const Xmm& from) { v.code().vextractf64x4(AsYmm(to), AsZmm(from), 1); }

// Takes the upper and the lower halves of the 64-bit integers of two vectors apart, in their order.
void SplitQwords(VecAvx2& v, const Xmm& low, const Xmm& high) {
  const VecReg lower = v.New("lower");
  v.code().vshufps(lower, low, high, 0x88);
  v.code().vshufps(high, low, high, 0xDD);
  v.code().vpermq(AsYmm(low), AsYmm(lower), 0xD8);
  v.code().vpermq(AsYmm(high), AsYmm(high), 0xD8);
}

// Rounds the 64-bit integers whose halves are given so that they fit into a double, and round to any float as they did
// before: of those beyond 53 bits the lowest 11 are made one, as in EmitConvertI32ToF32ForNarrowing().
void RoundToOdd(VecAvx2& v, const Xmm& lower, const Xmm& upper, bool is_signed) {
  constexpr uint32_t kLow = 0x7FF;
  const VecAvx2::Mask fits = v.NewMask("fits", 1);
  const VecReg odd = v.New("odd");
  // 0 where the upper half has no bits beyond the 53rd.
  if (is_signed) {
    v.AddI32(fits, upper, v.Const(1 << 21));
    v.ShiftRightU32(fits, fits, 22);
  } else {
    v.ShiftRightU32(fits, upper, 21);
  }
  v.CompareI32(fits, fits, v.Const(0), VecCompareI32::kEqual);
  v.And(odd, lower, v.Const(kLow));
  v.AddI32(odd, odd, v.Const(kLow));
  v.Or(odd, odd, lower);
  v.And(odd, odd, v.Const(~kLow));
  v.Select(lower, fits, lower, odd);
}

// Makes floats of four 64-bit integers of at most 53 bits, given by their lower halves less 2^31 and their upper
// halves, those of unsigned ones less 2^31, too.
void HalvesToF32(VecAvx2& v, const Xmm& to, const Xmm& lower, const Xmm& upper, bool is_signed) {
  Assembler& code = v.code();
  const VecReg sum = v.New("sum");
  const VecReg scaled = v.New("scaled");
  const Address border = Repeated(code, 0x1p31, VecAvx2::kBits);
  code.vcvtdq2pd(sum, AsXmm(lower));
  code.vcvtdq2pd(scaled, AsXmm(upper));
  code.vaddpd(sum, sum, border);
  if (!is_signed) code.vaddpd(scaled, scaled, border);
  code.vfmadd132pd(scaled, sum, Repeated(code, 0x1p32, VecAvx2::kBits));
  code.vcvtpd2ps(AsXmm(to), AsYmm(scaled));
}

// Makes floats of the 64-bit integers in `low` and `high`, which change.
void IntegersToF32(VecAvx2& v, bool is_signed, const Xmm& to, const Xmm& low, const Xmm& high) {
  SplitQwords(v, low, high);
  RoundToOdd(v, low, high, is_signed);
  v.Xor(low, low, v.Const(kSign));
  if (!is_signed) v.Xor(high, high, v.Const(kSign));
  const VecReg upper_of_low = v.New("upper_of_low");
  UpperHalf(v, upper_of_low, low);
  HalvesToF32(v, to, low, high, is_signed);
  UpperHalf(v, high, high);
  HalvesToF32(v, high, upper_of_low, high, is_signed);
  JoinHalves(v, to, to, high);
}
void IntegersToF32(VecAvx512& v, bool is_signed, const Xmm& to, const Xmm& low, const Xmm& high) {
  for (const Xmm& half : {low, high}) {
    if (is_signed) {
      v.code().vcvtqq2ps(AsYmm(half), AsZmm(half));
    } else {
      v.code().vcvtuqq2ps(AsYmm(half), AsZmm(half));
    }
  }
  JoinHalves(v, to, low, high);
}

// Takes the lower halves of 64-bit integers.
void IntegersToI32(VecAvx2& v, const Xmm& to, const Xmm& low, const Xmm& high) {
  v.code().vshufps(to, low, high, 0x88);
  v.code().vpermq(AsYmm(to), AsYmm(to), 0xD8);
}
void IntegersToI32(VecAvx512& v, const Xmm& to, const Xmm& low, const Xmm& high) {
  v.code().vpmovqd(AsYmm(low), AsZmm(low));
  v.code().vpmovqd(AsYmm(high), AsZmm(high));
  JoinHalves(v, to, low, high);
}

// Zeroes NaN.
void ZeroNan(VecAvx2& v, const Xmm& x) {
  const VecReg ordered = v.New("ordered");
  v.code().vcmppd(ordered, x, x, static_cast<uint8_t>(VecCompare::kEqual));
  v.code().vandpd(x, x, ordered);
}
void ZeroNan(VecAvx512& v, const Xmm& x) {
  const MaskReg ordered = v.NewMask("ordered");
  v.code().vcmppd(ordered, x, x, static_cast<uint8_t>(VecCompare::kEqual));
  v.code().vmovapd(x | ordered | T_z, x);
}

// Replaces doubles by integers in the lower half: truncated and saturated, NaN as 0.
template <class V>
void DoublesToI32(V& v, const Xmm& x) {
  Assembler& code = v.code();
  ZeroNan(v, x);
  code.vmaxpd(x, x, Repeated(code, -0x1p31, V::kBits));
  code.vminpd(x, x, Repeated(code, 0x1p31 - 1, V::kBits));
  code.vcvttpd2dq(HalfOf(x), x);
}

// Makes 64-bit integers of 32-bit lanes that are their halves.
void JoinQwords(VecAvx2& v, const Xmm& low, const Xmm& high, const Xmm& lower, const Xmm& upper) {
  v.code().vpunpckldq(low, lower, upper);
  v.code().vpunpckhdq(high, lower, upper);
}

// Makes 64-bit integers of floats that are rounded already and have no NaN. Elements 0, 1, 4 and 5 go into `low`, the
// rest into `high`.
void IntegralToQwords(VecAvx2& v, bool is_signed, const Xmm& x, const Xmm& low, const Xmm& high) {
  const VecReg upper = v.New("upper");
  const VecRegs negative = v.New("negative", 1);
  if (is_signed) {
    v.ShiftRightI32(negative, x, 31);
    v.And(x, x, v.Const(0x7FFFFFFF));
    v.Min(x, x, v.Const(0x1p63f));
  } else {
    // The largest float below 2^64.
    v.Min(x, x, v.Const(0x1.fffffep63f));
  }
  // Both parts are exact, and below 2^32.
  v.Mul(upper, x, v.Const(0x1p-32f));
  v.Round(upper, upper, VecRounding::kTowardsZero);
  v.MulSubtractFrom(x, upper, v.Const(0x1p32f));
  EmitUnsignedInRange(v, x);
  EmitUnsignedInRange(v, upper);
  JoinQwords(v, low, high, x, upper);
  if (!is_signed) return;
  JoinQwords(v, x, upper, negative[0], negative[0]);
  v.Xor(low, low, x);
  v.Xor(high, high, upper);
  v.code().vpsubq(low, low, x);
  v.code().vpsubq(high, high, upper);
}

// Makes 64-bit integers of floats: rounded, saturated, NaN as 0. Changes `x`.
void F32ToIntegers(VecAvx2& v, bool is_signed, VecRounding rounding, const Xmm& x, const Xmm& low, const Xmm& high) {
  const VecAvx2::Mask mask = v.NewMask("mask", 1);
  v.Compare(mask, x, x, VecCompare::kEqual);
  KeepWhere(v, mask, x);
  v.Round(x, x, rounding);
  if (!is_signed) v.Max(x, x, v.Const(0.0f));
  v.Compare(mask, x, v.Const(is_signed ? 0x1p63f : 0x1p64f), VecCompare::kGreaterEqual);
  IntegralToQwords(v, is_signed, x, low, high);
  // What is too large: from the least to the greatest, or all bits.
  const VecReg over = v.New("over");
  JoinQwords(v, over, x, mask[0], mask[0]);
  if (is_signed) {
    v.Xor(low, low, over);
    v.Xor(high, high, x);
  } else {
    v.Or(low, low, over);
    v.Or(high, high, x);
  }
  v.code().vperm2i128(AsYmm(x), AsYmm(low), AsYmm(high), 0x31);
  v.code().vperm2i128(AsYmm(low), AsYmm(low), AsYmm(high), 0x20);
  v.Copy(high, x);
}
void F32ToIntegers(VecAvx512& v, bool is_signed, VecRounding rounding, const Xmm& x, const Xmm& low, const Xmm& high) {
  Assembler& code = v.code();
  const MaskReg mask = v.NewMask("mask");
  if (is_signed) {
    code.vcmpps(mask, x, x, static_cast<uint8_t>(VecCompare::kEqual));
    code.vmovaps(x | mask | T_z, x);
  } else {
    // The instruction returns its second source where one is NaN.
    v.Max(x, x, v.Const(0.0f));
  }
  v.Round(x, x, rounding);
  UpperHalf(v, high, x);
  if (!is_signed) {
    // Gives all bits for what is too large.
    code.vcvttps2uqq(AsZmm(low), AsYmm(x));
    code.vcvttps2uqq(AsZmm(high), AsYmm(high));
    return;
  }
  const VecReg border = v.ConstReg(0x1p63f);
  const VecReg ones = v.ConstReg(kAllBits);
  code.vcmpps(mask, x, border, static_cast<uint8_t>(VecCompare::kGreaterEqual));
  code.vcvttps2qq(AsZmm(low), AsYmm(x));
  code.vcvttps2qq(AsZmm(high), AsYmm(high));
  // From the least to the greatest.
  code.vxorpd(low | mask, low, ones);
  code.kshiftrw(mask, mask, VecAvx512::kLanes / 2);
  code.vxorpd(high | mask, high, ones);
}

// Calls emit(i, low, high) for each vector, with two registers.
template <class V, class Emit>
void ForEachVector(V& v, const VecGroup& vectors, const Emit& emit) {
  const VecReg low = v.New("low");
  const VecReg high = v.New("high");
  for (int i = 0; i < vectors.size(); ++i) emit(i, low, high);
}

}  // namespace

template <class V>
void EmitLoadWideAsF32(V& v, ElementType type, const RawSource<V>& source, const VecGroup& to) {
  BURIN_CHECK(BitWidth(type) == 64) << "type: " << type;
  ForEachVector(v, to, [&](int i, const Xmm& low, const Xmm& high) {
    EmitLoadQwords(v, source, i, to.size(), low, high);
    if (type != ElementType::kF64) {
      IntegersToF32(v, IsSignedInteger(type), to[i], low, high);
      return;
    }
    v.code().vcvtpd2ps(HalfOf(low), low);
    v.code().vcvtpd2ps(HalfOf(high), high);
    JoinHalves(v, to[i], low, high);
  });
}

template <class V>
void EmitLoadWideAsI32(V& v, ElementType type, const RawSource<V>& source, const VecGroup& to) {
  BURIN_CHECK(BitWidth(type) == 64) << "type: " << type;
  ForEachVector(v, to, [&](int i, const Xmm& low, const Xmm& high) {
    EmitLoadQwords(v, source, i, to.size(), low, high);
    if (type != ElementType::kF64) {
      IntegersToI32(v, to[i], low, high);
      return;
    }
    DoublesToI32(v, low);
    DoublesToI32(v, high);
    JoinHalves(v, to[i], low, high);
  });
}

template <class V>
void EmitStoreF32AsWide(V& v, ElementType type, const RawDestination<V>& destination, VecRounding rounding,
                        const VecGroup& from) {
  BURIN_CHECK(BitWidth(type) == 64) << "type: " << type;
  ForEachVector(v, from, [&](int i, const Xmm& low, const Xmm& high) {
    if (type == ElementType::kF64) {
      UpperHalf(v, high, from[i]);
      v.code().vcvtps2pd(low, HalfOf(from[i]));
      v.code().vcvtps2pd(high, HalfOf(high));
    } else {
      F32ToIntegers(v, IsSignedInteger(type), rounding, from[i], low, high);
    }
    EmitStoreQwords(v, destination, i, from.size(), low, high);
  });
}

template <class V>
void EmitStoreI32AsWide(V& v, ElementType type, const RawDestination<V>& destination, bool saturate,
                        const VecGroup& from) {
  BURIN_CHECK(BitWidth(type) == 64) << "type: " << type;
  if (type == ElementType::kU64 && saturate) v.MaxI32(from, from, v.Const(0));
  ForEachVector(v, from, [&](int i, const Xmm& low, const Xmm& high) {
    UpperHalf(v, high, from[i]);
    if (type == ElementType::kF64) {
      v.code().vcvtdq2pd(low, HalfOf(from[i]));
      v.code().vcvtdq2pd(high, HalfOf(high));
    } else {
      v.code().vpmovsxdq(low, HalfOf(from[i]));
      v.code().vpmovsxdq(high, HalfOf(high));
    }
    EmitStoreQwords(v, destination, i, from.size(), low, high);
  });
}

template void EmitLoadWideAsF32(VecAvx2&, ElementType, const RawSource<VecAvx2>&, const VecGroup&);
template void EmitLoadWideAsF32(VecAvx512&, ElementType, const RawSource<VecAvx512>&, const VecGroup&);
template void EmitLoadWideAsI32(VecAvx2&, ElementType, const RawSource<VecAvx2>&, const VecGroup&);
template void EmitLoadWideAsI32(VecAvx512&, ElementType, const RawSource<VecAvx512>&, const VecGroup&);
template void EmitStoreF32AsWide(VecAvx2&, ElementType, const RawDestination<VecAvx2>&, VecRounding, const VecGroup&);
template void EmitStoreF32AsWide(VecAvx512&, ElementType, const RawDestination<VecAvx512>&, VecRounding,
                                 const VecGroup&);
template void EmitStoreI32AsWide(VecAvx2&, ElementType, const RawDestination<VecAvx2>&, bool, const VecGroup&);
template void EmitStoreI32AsWide(VecAvx512&, ElementType, const RawDestination<VecAvx512>&, bool, const VecGroup&);

}  // namespace burin::jit::internal
