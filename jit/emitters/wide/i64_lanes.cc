#include "jit/emitters/wide/i64_lanes.h"

#include <cstdint>
#include <limits>

#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"
#include "jit/emitters/wide/wide_masks.h"

namespace burin::jit {

void MultiplyI64(VecAvx2& v, const Xmm& to, const Xmm& a, const Xmm& b) {
  Assembler& code = v.code();
  const VecReg cross = v.New("cross");
  const VecReg upper = v.New("upper");
  // The lower half of each times the upper half of the other, twice 32 bits, goes to the upper half.
  code.vpshufd(cross, b, 0xB1);
  code.vpmulld(cross, a, cross);
  code.vpsrlq(upper, cross, 32);
  code.vpaddq(cross, cross, upper);
  code.vpsllq(cross, cross, 32);
  code.vpmuludq(to, a, b);
  code.vpaddq(to, to, cross);
}
void MultiplyI64(VecAvx512& v, const Xmm& to, const Xmm& a, const Xmm& b) { v.code().vpmullq(to, a, b); }

void MagnitudeI64(VecAvx2& v, const Xmm& to, const Xmm& a) {
  const VecReg negative = v.New("negative");
  SignsOfI64(v, negative, a);
  v.code().vpxor(to, a, negative);
  v.code().vpsubq(to, to, negative);
}
void MagnitudeI64(VecAvx512& v, const Xmm& to, const Xmm& a) { v.code().vpabsq(to, a); }

void SignsOfI64(VecAvx2& v, const Xmm& to, const Xmm& a) {
  v.code().vpxor(to, to, to);
  v.code().vpcmpgtq(to, to, a);
}
void SignsOfI64(VecAvx512& v, const Xmm& to, const Xmm& a) { v.code().vpsraq(to, a, 63); }

void I64ToF64(VecAvx2& v, const Xmm& to, const Xmm& from) {
  // The halves as the low bits of 2^52 and of 2^84, the upper one with 2^31 added: the difference from both is exact,
  // and their sum rounds once.
  constexpr int64_t kLowerExponent = 0x4330000000000000;
  constexpr int64_t kUpperExponent = 0x4530000080000000;
  constexpr double kExcess = 0x1p84 + 0x1p63 + 0x1p52;
  Assembler& code = v.code();
  const VecReg upper = v.New("upper");
  code.vpsrlq(upper, from, 32);
  code.vpblendd(to, from, WideConst(v, kLowerExponent), 0xAA);
  code.vpxor(upper, upper, WideConst(v, kUpperExponent));
  code.vsubpd(upper, upper, WideConst(v, kExcess));
  code.vaddpd(to, to, upper);
}
void I64ToF64(VecAvx512& v, const Xmm& to, const Xmm& from) { v.code().vcvtqq2pd(to, from); }

void F64ToI64(VecAvx2& v, const Xmm& to, const Xmm& from) {
  // Added to these, an integer of 32 bits is in the low bits of the sum.
  constexpr double kUnsignedLowBits = 0x1p52;
  constexpr double kSignedLowBits = 0x1.8p52;
  Assembler& code = v.code();
  const VecReg lower = v.New("lower");
  const VecReg over = v.New("over");
  code.vcmppd(lower, from, from, static_cast<uint8_t>(VecCompare::kEqual));
  code.vandpd(lower, lower, from);
  code.vroundpd(lower, lower, 0x08 | static_cast<uint8_t>(VecRounding::kTowardsZero));
  code.vcmppd(over, lower, WideConst(v, 0x1p63), static_cast<uint8_t>(VecCompare::kGreaterEqual));
  code.vmaxpd(lower, lower, WideConst(v, -0x1p63));
  // Both halves are exact: the upper one rounds down, the lower one is not negative.
  code.vmulpd(to, lower, WideConst(v, 0x1p-32));
  code.vroundpd(to, to, 0x08 | static_cast<uint8_t>(VecRounding::kDown));
  code.vfnmadd231pd(lower, to, WideConst(v, 0x1p32));
  code.vaddpd(to, to, WideConst(v, kSignedLowBits));
  code.vaddpd(lower, lower, WideConst(v, kUnsignedLowBits));
  code.vpsllq(to, to, 32);
  code.vpblendd(to, to, lower, 0x55);
  code.vblendvpd(to, to, WideConst(v, std::numeric_limits<int64_t>::max()), over);
}
void F64ToI64(VecAvx512& v, const Xmm& to, const Xmm& from) {
  Assembler& code = v.code();
  const MaskReg mask = v.NewMask("mask");
  code.vcmppd(mask, from, from, static_cast<uint8_t>(VecCompare::kEqual));
  code.vcvttpd2qq(to | mask | T_z, from);
  // The instruction gives the least integer for what is too large.
  code.vcmppd(mask, from, WideConst(v, 0x1p63), static_cast<uint8_t>(VecCompare::kGreaterEqual));
  code.vpxorq(to | mask, to, WideConst(v, int64_t{-1}));
}

template <class V>
void RoundI64ToOdd(V& v, const Xmm& x) {
  constexpr int64_t kLow = 0x7FF;
  Assembler& code = v.code();
  const VecReg odd = v.New("odd");
  const typename V::MaskRegister fits = v.NewMask("fits");
  // 0 where no bit but copies of the sign lies beyond the 53rd.
  {
    const VecReg zero = v.New("zero");
    v.Zero(VecGroup(zero));
    code.vpaddq(odd, x, WideConst(v, int64_t{1} << 53));
    code.vpsrlq(odd, odd, 54);
    CompareI64(v, fits, odd, zero, VecCompareI32::kEqual);
  }
  code.vandpd(odd, x, WideConst(v, kLow));
  code.vpaddq(odd, odd, WideConst(v, kLow));
  code.vorpd(odd, odd, x);
  code.vandpd(odd, odd, WideConst(v, ~kLow));
  SelectWide(v, x, fits, x, odd);
}

template void RoundI64ToOdd(VecAvx2&, const Xmm&);
template void RoundI64ToOdd(VecAvx512&, const Xmm&);

}  // namespace burin::jit
