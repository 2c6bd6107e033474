#include "jit/emitters/elementary/reduce_angle.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "absl/types/span.h"
#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

constexpr int32_t kSignBit = std::numeric_limits<int32_t>::min();
constexpr int32_t kAllButSign = std::numeric_limits<int32_t>::max();
constexpr int kMantissaBits = 23;

// Up to here the multiple has at most 20 bits.
constexpr int32_t kLargeBits = 0x49800000;  // 2^20

constexpr float kInversePi = 0x1.45f306p-2f;
constexpr float kPi = 0x1.921fb6p+1f;
constexpr float kPiLow = -0x1.777a5cp-24f;
// pi in parts of 24 bits, none of them negative: -0 less the product of 0 and each of them is -0.
constexpr float kPiParts[] = {0x1.921fb4p+1f, 0x1.4442dp-23f, 0x1.846988p-47f};
// Added to a float below 2^22, leaves no bits for its fraction, and the lowest bit of the sum tells odd from even.
constexpr float kRounder = 0x1.8p+23f;

// A word of zeros, then 224 bits of 1 / (2 pi).
constexpr std::array<uint32_t, 8> kInverseTurn = {0,          0x28be60db, 0x9391054a, 0x7f09d5f4,
                                                  0x7d4d3770, 0x36d8a566, 0x4f10e410, 0x7f9458ea};

// Subtracts a multiple of pi, or of pi / 2, from angles up to 2^20. Sets the lowest bits of `odd`.
template <class V>
void ReduceModerate(V& v, const VecGroup& r, const VecGroup& odd, const VecGroup& x, AngleReduction reduction) {
  const VecRegs n = v.New("multiple", x.size());
  const float unit = reduction == AngleReduction::kTangent ? 0.5f : 1.0f;
  if (reduction == AngleReduction::kCosine) {
    v.BroadcastConst(n, 0.5f);
    v.MulAdd(n, x, v.Const(kInversePi));
    v.Add(odd, n, v.Const(kRounder));
    v.Sub(n, odd, v.Const(kRounder));
    v.Sub(n, n, v.Const(0.5f));
  } else {
    v.BroadcastConst(odd, kRounder);
    v.MulAdd(odd, x, v.Const(kInversePi / unit));
    v.Sub(n, odd, v.Const(kRounder));
  }
  v.Copy(r, x);
  for (const float part : kPiParts) v.MulSubtractFrom(r, n, v.Const(part * unit));
}

// Sets w[0] to w[2] to the 96 bits of 1 / (2 pi) that tell 64 bits of the fraction of |x| / (2 pi), where |x| is
// m 2^e with an integer m < 2^24: what is before them makes whole turns.
template <class V>
void SelectBits(V& v, const VecRegs& w, const Xmm& x, const VecRegs& spare) {
  constexpr int32_t kExponentOfZeroWord = 127 + kMantissaBits - 32;
  const VecReg& index = spare[0];
  const VecReg& shift = spare[1];
  const VecReg& rest = spare[2];
  const VecReg& bits = spare[3];
  std::array<uint32_t, V::kLanes> lanes;
  for (size_t i = 0; i < lanes.size(); ++i) lanes[i] = kInverseTurn[i % kInverseTurn.size()];
  const Address table = v.code().Table(absl::Span<const uint32_t>(lanes));
  v.And(index, x, v.Const(kAllButSign));
  v.ShiftRightU32(index, index, kMantissaBits);
  v.SubI32(index, index, v.Const(kExponentOfZeroWord));
  v.And(shift, index, v.Const(31));
  v.ShiftRightI32(index, index, 5);
  v.BroadcastConst(rest, 32);
  v.SubI32(rest, rest, shift);
  v.Lookup(w[0], index, table);
  for (int i = 0; i < w.size(); ++i) {
    const VecReg& next = i + 1 < w.size() ? w[i + 1] : bits;
    v.AddI32(index, index, v.Const(1));
    v.Lookup(next, index, table);
    v.ShiftLeftI32(w[i], w[i], shift);
    v.ShiftRightU32(bits, next, rest);
    v.Or(w[i], w[i], bits);
  }
}

// Replaces the bits of SelectBits() by that fraction: its higher 32 bits in w[0], its lower ones in w[1].
template <class V>
void MultiplyByMantissa(V& v, const VecRegs& w, const Xmm& x, const VecRegs& spare) {
  Assembler& code = v.code();
  const VecReg& m = spare[0];
  const VecReg& even = spare[1];
  const VecReg& product = spare[2];
  const VecReg& odd = spare[3];
  v.And(m, x, v.Const(0x7fffff));
  v.Or(m, m, v.Const(0x800000));
  const auto fraction = [&](const Xmm& to) {
    code.vpmuludq(to, m, w[0]);
    code.vpsllq(to, to, 32);
    code.vpmuludq(product, m, w[1]);
    code.vpaddq(to, to, product);
    code.vpmuludq(product, m, w[2]);
    code.vpsrlq(product, product, 32);
    code.vpaddq(to, to, product);
  };
  // Of the elements of even number, then of those of odd number.
  fraction(even);
  code.vpsrlq(m, m, 32);
  for (int i = 0; i < w.size(); ++i) code.vpsrlq(w[i], w[i], 32);
  fraction(odd);
  code.vpsrlq(w[0], odd, 32);
  code.vpsllq(w[0], w[0], 32);
  code.vpsrlq(product, even, 32);
  v.Or(w[0], w[0], product);
  code.vpsllq(w[1], even, 32);
  code.vpsrlq(w[1], w[1], 32);
  code.vpsllq(odd, odd, 32);
  v.Or(w[1], w[1], odd);
}

// Replaces r and odd where x, one vector, is beyond 2^20.
template <class V>
void ReduceLarge(V& v, const Xmm& r, const Xmm& odd, const Xmm& x, AngleReduction reduction) {
  const VecRegs w = v.New("angle_bits", 3);
  const VecRegs spare = v.New("angle_spare", 4);
  SelectBits(v, w, x, spare);
  MultiplyByMantissa(v, w, x, spare);
  const VecReg& high = w[0];
  const VecReg& low = w[1];
  const VecReg& sign = spare[0];
  const VecReg& a = spare[1];
  const VecReg& b = spare[2];
  // A turn has two multiples of pi, or four of pi / 2; what is left of one is a signed fraction of it, and the multiple
  // is one more where that is negative.
  if (reduction == AngleReduction::kCosine) v.AddI32(high, high, v.Const(1 << 30));
  const uint8_t bits = reduction == AngleReduction::kTangent ? 2 : 1;
  v.ShiftLeftI32(sign, high, static_cast<uint8_t>(bits - 1));
  v.ShiftLeftI32(high, high, bits);
  v.Xor(sign, sign, high);
  v.And(sign, sign, v.Const(kSignBit));
  v.ShiftRightU32(a, low, static_cast<uint8_t>(32 - bits));
  v.Or(high, high, a);
  v.ShiftLeftI32(low, low, bits);
  v.ShiftRightU32(low, low, 1);
  // The product by pi in two parts each: a float has no more than 24 bits of the fraction.
  const float unit = reduction == AngleReduction::kTangent ? 0x1p-33f : 0x1p-32f;
  v.I32ToFloat(b, high);
  v.FloatToI32(a, b);
  v.SubI32(high, high, a);
  v.I32ToFloat(high, high);
  v.I32ToFloat(low, low);
  v.MulAdd(high, low, v.Const(0x1p-31f));
  v.Mul(high, high, v.Const(kPi * unit));
  v.MulAdd(high, b, v.Const(kPiLow * unit));
  v.MulAdd(high, b, v.Const(kPi * unit));
  if (reduction != AngleReduction::kCosine) {
    v.And(a, x, v.Const(kSignBit));
    v.Xor(high, high, a);
  }
  // NaN for infinities.
  v.Sub(a, x, x);
  v.Add(high, high, a);
  const typename V::Mask large = v.NewMask("large", 1);
  v.And(a, x, v.Const(kAllButSign));
  v.CompareI32(large, a, v.Const(kLargeBits), VecCompareI32::kGreater);
  v.Select(r, large, high, r);
  v.Select(odd, large, sign, odd);
}

}  // namespace

template <class V>
void EmitReduceAngle(V& v, const VecGroup& r, const VecGroup& odd, const VecGroup& x, AngleReduction reduction) {
  constexpr uint8_t kLowestToSign = 31;
  ReduceModerate(v, r, odd, x, reduction);
  v.ShiftLeftI32(odd, odd, kLowestToSign);
  Label done;
  {
    const VecReg greatest = v.New("greatest");
    const VecReg magnitude = v.New("magnitude");
    const typename V::Mask large = v.NewMask("large", 1);
    v.And(greatest, x[0], v.Const(kAllButSign));
    for (int i = 1; i < x.size(); ++i) {
      v.And(magnitude, x[i], v.Const(kAllButSign));
      v.MaxU32(greatest, greatest, magnitude);
    }
    v.CompareI32(large, greatest, v.Const(kLargeBits), VecCompareI32::kGreater);
    v.JumpIfNone(large, done);
  }
  for (int i = 0; i < x.size(); ++i) ReduceLarge(v, r[i], odd[i], x[i], reduction);
  v.code().Bind(done);
}

template void EmitReduceAngle(VecAvx2&, const VecGroup&, const VecGroup&, const VecGroup&, AngleReduction);
template void EmitReduceAngle(VecAvx512&, const VecGroup&, const VecGroup&, const VecGroup&, AngleReduction);

}  // namespace burin::jit
