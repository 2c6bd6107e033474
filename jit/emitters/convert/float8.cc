#include "jit/emitters/convert/float8.h"

#include <cstdint>

#include "absl/base/casts.h"
#include "base/check.h"
#include "base/element_type.h"
#include "base/float_conversion.h"
#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/convert/where.h"
#include "jit/emitters/memory/raw_load.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit::internal {
namespace {

constexpr uint32_t kSign = 0x80000000;
constexpr uint32_t kMagnitude = 0x7FFFFFFF;
constexpr uint32_t kInfinity = 0x7F800000;
constexpr int kMantissaBits = 23;
constexpr int kBias = 127;

// Describes a type with a sign, an exponent and a mantissa.
struct Format {
  int mantissa_bits;
  int bias;
  // The code of the largest number.
  uint32_t max;
  // Minus zero is the only NaN.
  bool minus_zero_is_nan;
};

Format FormatOf(ElementType type) {
  switch (type) {
    case ElementType::kF8E4M3FN:
      return {3, 7, 0x7E, false};
    case ElementType::kF8E4M3FNUZ:
      return {3, 8, 0x7F, true};
    case ElementType::kF8E5M2:
      return {2, 15, 0x7B, false};
    default:
      BURIN_CHECK(type == ElementType::kF8E5M2FNUZ) << "type: " << type;
      return {2, 16, 0x7F, true};
  }
}

// Returns the float 2^exponent.
float PowerOfTwo(int exponent) {
  return absl::bit_cast<float>(static_cast<uint32_t>(exponent + kBias) << kMantissaBits);
}

void ShiftWordsLeft(Assembler& code, const VecGroup& x, uint8_t bits) {
  for (int i = 0; i < x.size(); ++i) code.vpsllw(x[i], x[i], bits);
}

// Makes floats of the binary16 numbers in the lower halves.
void WidenF16(Assembler& code, const VecGroup& x) {
  for (int i = 0; i < x.size(); ++i) code.vcvtph2ps(x[i], HalfOf(x[i]));
}

// Makes minus zeros NaN.
template <class V>
void MinusZeroToNan(V& v, const typename V::Mask& mask, const VecGroup& x) {
  v.CompareI32(mask, x, v.Const(kSign), VecCompareI32::kEqual);
  XorWhere(v, mask, x, 0xFFC00000);
}

// Decodes e4m3: as binary16 with exponents that start 2^-14 for the same field.
template <class V>
void DecodeE4M3(V& v, const Format& format, const VecGroup& x) {
  ShiftWordsLeft(v.code(), x, 7);
  // The extension of the sign left a copy of it in the exponent's first bit.
  v.And(x, x, v.Const(0xBFFFBFFF));
  WidenF16(v.code(), x);
  constexpr int kBiasF16 = 15;
  v.Mul(x, x, v.Const(PowerOfTwo(kBiasF16 - format.bias)));
  const typename V::Mask nan = v.NewMask("nan", x.size());
  if (format.minus_zero_is_nan) return MinusZeroToNan(v, nan, x);
  // The code of all ones, which would be 480, is NaN.
  const VecRegs magnitude = v.New("magnitude", x.size());
  v.And(magnitude, x, v.Const(kMagnitude));
  v.Compare(nan, magnitude, v.Const(448.0f), VecCompare::kGreater);
  OrWhere(v, nan, x, kInfinity);
}

// Decodes e5m2fnuz, whose largest exponent binary16 keeps for infinity: as a float where it is normal, else as an
// integer times the smallest number.
template <class V>
void DecodeE5M2Fnuz(V& v, const Format& format, const VecGroup& x) {
  const VecRegs magnitude = v.New("magnitude", x.size());
  v.And(magnitude, x, v.Const(0x7F));
  v.Xor(x, x, magnitude);
  v.ShiftLeftI32(x, x, 24);
  const VecRegs denormal = v.New("denormal", x.size());
  const typename V::Mask mask = v.NewMask("mask", x.size());
  v.I32ToFloat(denormal, magnitude);
  v.Mul(denormal, denormal, v.Const(PowerOfTwo(1 - format.bias - format.mantissa_bits)));
  v.CompareI32(mask, magnitude, v.Const((1 << format.mantissa_bits) - 1), VecCompareI32::kGreater);
  v.ShiftLeftI32(magnitude, magnitude, static_cast<uint8_t>(kMantissaBits - format.mantissa_bits));
  v.AddI32(magnitude, magnitude, v.Const((kBias - format.bias) << kMantissaBits));
  v.Select(magnitude, mask, magnitude, denormal);
  v.Or(x, x, magnitude);
  MinusZeroToNan(v, mask, x);
}

// Decodes e8m0: an exponent of which the first code stands for a denormal float and the last for NaN.
template <class V>
void DecodeE8M0(V& v, const VecGroup& x) {
  const VecRegs next = v.New("next", x.size());
  const typename V::Mask either = v.NewMask("either", x.size());
  // 0xFF and 0 are the codes whose successors are 0 and 1, modulo 2^8.
  v.AddI32(next, x, v.Const(1));
  v.And(next, next, v.Const(0xFE));
  v.CompareI32(either, next, v.Const(0), VecCompareI32::kEqual);
  v.ShiftLeftI32(x, x, kMantissaBits);
  OrWhere(v, either, x, 0x00400000);
}

// Replaces the magnitudes of floats by codes without sign. What is too large gets a code that is too large.
template <class V>
void RoundMagnitude(V& v, const Format& format, const VecGroup& x) {
  const int dropped = kMantissaBits - format.mantissa_bits;
  const uint32_t rebias = static_cast<uint32_t>(kBias - format.bias) << kMantissaBits;
  const uint32_t smallest_normal = rebias + (1u << kMantissaBits);
  const VecRegs normal = v.New("normal", x.size());
  const typename V::Mask is_normal = v.NewMask("is_normal", x.size());
  v.CompareI32(is_normal, x, v.Const(smallest_normal - 1), VecCompareI32::kGreater);
  v.ShiftRightU32(normal, x, static_cast<uint8_t>(dropped));
  v.And(normal, normal, v.Const(1));
  v.AddI32(normal, normal, x);
  v.AddI32(normal, normal, v.Const((1u << (dropped - 1)) - 1 - rebias));
  v.ShiftRightU32(normal, normal, static_cast<uint8_t>(dropped));
  const float magic = PowerOfTwo(1 - format.bias - format.mantissa_bits + kMantissaBits);
  v.Add(x, x, v.Const(magic));
  v.SubI32(x, x, v.Const(magic));
  v.Select(x, is_normal, normal, x);
}

// Replaces the codes of NaN, `code` without its sign, where the float `x` is NaN.
template <class V>
void EncodeNan(V& v, ElementType type, Overflow overflow, const VecGroup& code, const VecGroup& x) {
  const typename V::Mask nan = v.NewMask("nan", x.size());
  if (type == ElementType::kF8E5M2) {
    const VecRegs payload = v.New("payload", x.size());
    v.Compare(nan, x, x, VecCompare::kUnordered);
    v.ShiftRightU32(payload, x, kMantissaBits - 2);
    v.And(payload, payload, v.Const(0x7F));
    v.Or(payload, payload, v.Const(0x7E));
    v.Select(code, nan, payload, code);
  } else if (overflow == Overflow::kSaturate) {
    // What is too large has the largest code, the others one beyond it, which is NaN.
    v.Compare(nan, x, x, VecCompare::kUnordered);
    XorWhere(v, nan, code, FormatOf(type).max ^ (FormatOf(type).max + 1));
  }
}

template <class V>
void EncodeSigned(V& v, ElementType type, Overflow overflow, const VecGroup& x) {
  const Format format = FormatOf(type);
  const VecRegs code = v.New("code", x.size());
  v.And(code, x, v.Const(kMagnitude));
  RoundMagnitude(v, format, code);
  // One beyond the largest number is infinity or NaN in each format.
  v.MinU32(code, code, v.Const(overflow == Overflow::kSaturate ? format.max : format.max + 1));
  EncodeNan(v, type, overflow, code, x);
  v.ShiftRightU32(x, x, 24);
  v.And(x, x, v.Const(0x80));
  if (format.minus_zero_is_nan) {
    // Zero has no sign: only other codes carry into bit 7.
    const VecRegs has_sign = v.New("has_sign", x.size());
    v.AddI32(has_sign, code, v.Const(0x7F));
    v.And(x, x, has_sign);
  }
  v.Or(x, x, code);
}

template <class V>
void EncodeE8M0(V& v, Overflow overflow, PowerOfTwoRounding rounding, const VecGroup& x) {
  constexpr uint32_t kNan = 0xFF;
  const VecRegs other = v.New("other", x.size());
  const typename V::Mask mask = v.NewMask("mask", x.size());
  v.And(x, x, v.Const(kMagnitude));
  if (overflow == Overflow::kSaturate) {
    // What is finite is at most 2^127.
    v.CompareI32(mask, x, v.Const(kInfinity - 1), VecCompareI32::kGreater);
    v.MinU32(other, x, v.Const(PowerOfTwo(kBias)));
    v.Select(x, mask, x, other);
  }
  if (rounding != PowerOfTwoRounding::kDown) {
    // What carries into the exponent where the mantissa is to be rounded up: for denormals, which lack the leading one
    // and of which 2^-127 is the only power of two in question, half as much.
    const uint32_t carry = rounding == PowerOfTwoRounding::kUp ? 0x007FFFFF : 0x00400000;
    v.CompareI32(mask, x, v.Const(0x007FFFFF), VecCompareI32::kGreater);
    v.BroadcastConst(other, carry);
    const VecReg denormal = v.ConstReg(carry >> 1);
    v.Select(other, mask, other, denormal);
    v.AddI32(x, x, other);
  }
  v.ShiftRightU32(x, x, kMantissaBits);
  v.MinU32(x, x, v.Const(kNan));
}

}  // namespace

bool IsFloat8(ElementType type) { return IsFloat(type) && BitWidth(type) == 8; }

template <class V>
void EmitLoadF8(V& v, ElementType type, const RawSource<V>& source, const VecGroup& to) {
  switch (type) {
    case ElementType::kF8E4M3FN:
    case ElementType::kF8E4M3FNUZ:
      EmitLoadWords(v, source, 1, to);
      DecodeE4M3(v, FormatOf(type), to);
      break;
    case ElementType::kF8E5M2:
      EmitLoadWords(v, source, 1, to);
      ShiftWordsLeft(v.code(), to, 8);
      WidenF16(v.code(), to);
      break;
    case ElementType::kF8E5M2FNUZ:
      EmitLoadDwords(v, source, 1, false, to);
      DecodeE5M2Fnuz(v, FormatOf(type), to);
      break;
    default:
      BURIN_CHECK(type == ElementType::kF8E8M0) << "type: " << type;
      EmitLoadDwords(v, source, 1, false, to);
      DecodeE8M0(v, to);
  }
}

template <class V>
void EmitConvertF32ToF8(V& v, ElementType type, Overflow overflow, PowerOfTwoRounding rounding, const VecGroup& x) {
  if (type == ElementType::kF8E8M0) {
    EncodeE8M0(v, overflow, rounding, x);
  } else {
    EncodeSigned(v, type, overflow, x);
  }
}

template void EmitLoadF8(VecAvx2&, ElementType, const RawSource<VecAvx2>&, const VecGroup&);
template void EmitLoadF8(VecAvx512&, ElementType, const RawSource<VecAvx512>&, const VecGroup&);
template void EmitConvertF32ToF8(VecAvx2&, ElementType, Overflow, PowerOfTwoRounding, const VecGroup&);
template void EmitConvertF32ToF8(VecAvx512&, ElementType, Overflow, PowerOfTwoRounding, const VecGroup&);

}  // namespace burin::jit::internal
