#include "jit/emitters/arithmetic/f64_halves.h"

#include <cstdint>
#include <limits>

#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"

namespace burin::jit {
namespace {

constexpr double kTwoTo31 = 0x1p31;
constexpr int32_t kSign = std::numeric_limits<int32_t>::min();

// Returns the register that holds half as much.
Xmm HalfOf(const VecAvx2&, const Xmm& x) { return AsXmm(x); }
Xmm HalfOf(const VecAvx512&, const Xmm& x) { return AsYmm(x); }

// Returns a register that holds that half of `from`: `from` itself or `to`.
Xmm Extract(VecAvx2& v, const Xmm& to, const Xmm& from, VecHalf half) {
  if (half == VecHalf::kLow) return AsXmm(from);
  v.code().vextracti128(AsXmm(to), AsYmm(from), 1);
  return AsXmm(to);
}
Xmm Extract(VecAvx512& v, const Xmm& to, const Xmm& from, VecHalf half) {
  if (half == VecHalf::kLow) return AsYmm(from);
  v.code().vextracti64x4(AsYmm(to), AsZmm(from), 1);
  return AsYmm(to);
}

// There is no instruction for unsigned integers: converts them less 2^31.
void UnsignedToF64(VecAvx2& v, const Xmm& to, const Xmm& half) {
  Assembler& code = v.code();
  code.vpxor(AsXmm(to), half, code.Repeated(kSign, 16));
  code.vcvtdq2pd(to, AsXmm(to));
  code.vaddpd(to, to, code.Repeated(kTwoTo31, 32));
}
void UnsignedToF64(VecAvx512& v, const Xmm& to, const Xmm& half) { v.code().vcvtudq2pd(to, half); }

void F64ToUnsigned(VecAvx2& v, const Xmm& to, const Xmm& from) {
  Assembler& code = v.code();
  code.vsubpd(to, from, code.Repeated(kTwoTo31, 32));
  code.vcvttpd2dq(AsXmm(to), AsYmm(to));
  code.vpxor(AsXmm(to), AsXmm(to), code.Repeated(kSign, 16));
}
void F64ToUnsigned(VecAvx512& v, const Xmm& to, const Xmm& from) { v.code().vcvttpd2udq(AsYmm(to), from); }

// Bit 3: the inexact result is no exception.
uint8_t RoundingImmediate(VecRounding rounding) { return static_cast<uint8_t>(0x08 | static_cast<uint8_t>(rounding)); }

}  // namespace

template <class V>
void F32ToF64(V& v, const Xmm& to, const Xmm& from, VecHalf half) {
  v.code().vcvtps2pd(to, Extract(v, to, from, half));
}

template <class V>
void I32ToF64(V& v, const Xmm& to, const Xmm& from, VecHalf half) {
  v.code().vcvtdq2pd(to, Extract(v, to, from, half));
}

template <class V>
void U32ToF64(V& v, const Xmm& to, const Xmm& from, VecHalf half) {
  UnsignedToF64(v, to, Extract(v, to, from, half));
}

void RoundF64(VecAvx2& v, const Xmm& x, VecRounding rounding) { v.code().vroundpd(x, x, RoundingImmediate(rounding)); }
void RoundF64(VecAvx512& v, const Xmm& x, VecRounding rounding) {
  v.code().vrndscalepd(x, x, RoundingImmediate(rounding));
}

template <class V>
void F64ToF32(V& v, const Xmm& to, const Xmm& from) {
  v.code().vcvtpd2ps(HalfOf(v, to), from);
}

template <class V>
void F64ToI32(V& v, const Xmm& to, const Xmm& from) {
  v.code().vcvttpd2dq(HalfOf(v, to), from);
}

template <class V>
void F64ToU32(V& v, const Xmm& to, const Xmm& from) {
  F64ToUnsigned(v, to, from);
}

void JoinHalves(VecAvx2& v, const Xmm& low, const Xmm& high) {
  v.code().vinserti128(AsYmm(low), AsYmm(low), AsXmm(high), 1);
}
void JoinHalves(VecAvx512& v, const Xmm& low, const Xmm& high) {
  v.code().vinserti64x4(AsZmm(low), AsZmm(low), AsYmm(high), 1);
}

template void F32ToF64(VecAvx2&, const Xmm&, const Xmm&, VecHalf);
template void F32ToF64(VecAvx512&, const Xmm&, const Xmm&, VecHalf);
template void I32ToF64(VecAvx2&, const Xmm&, const Xmm&, VecHalf);
template void I32ToF64(VecAvx512&, const Xmm&, const Xmm&, VecHalf);
template void U32ToF64(VecAvx2&, const Xmm&, const Xmm&, VecHalf);
template void U32ToF64(VecAvx512&, const Xmm&, const Xmm&, VecHalf);
template void F64ToF32(VecAvx2&, const Xmm&, const Xmm&);
template void F64ToF32(VecAvx512&, const Xmm&, const Xmm&);
template void F64ToI32(VecAvx2&, const Xmm&, const Xmm&);
template void F64ToI32(VecAvx512&, const Xmm&, const Xmm&);
template void F64ToU32(VecAvx2&, const Xmm&, const Xmm&);
template void F64ToU32(VecAvx512&, const Xmm&, const Xmm&);

}  // namespace burin::jit
