#include "jit/emitters/arithmetic/integer_division.h"

#include <cstdint>

#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/arithmetic/f64_halves.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

enum class Signedness : uint8_t { kSigned, kUnsigned };

// Sets the low half of `to` to the quotients of half of a and b. Uses one register.
template <class V>
void DivideHalf(V& v, const Xmm& to, const Xmm& a, const Xmm& b, VecHalf half, Signedness signedness,
                VecRounding rounding) {
  const VecReg divisor = v.New("divisor");
  if (signedness == Signedness::kSigned) {
    I32ToF64(v, to, a, half);
    I32ToF64(v, divisor, b, half);
    v.code().vdivpd(to, to, divisor);
    // The conversion rounds towards zero by itself.
    if (rounding != VecRounding::kTowardsZero) RoundF64(v, to, rounding);
    F64ToI32(v, to, to);
  } else {
    U32ToF64(v, to, a, half);
    U32ToF64(v, divisor, b, half);
    v.code().vdivpd(to, to, divisor);
    RoundF64(v, to, rounding);
    F64ToU32(v, to, to);
  }
}

// Replaces x by `result` where y is not 0, else by 0.
void TakeUnlessZero(VecAvx2& v, const Xmm& x, const Xmm& result, const Xmm& y) {
  const VecReg is_zero = v.New("is_zero");
  v.Zero(is_zero);
  v.code().vpcmpeqd(is_zero, is_zero, y);
  v.AndNot(x, is_zero, result);
}
void TakeUnlessZero(VecAvx512& v, const Xmm& x, const Xmm& result, const Xmm& y) {
  const MaskReg is_not_zero = v.NewMask("is_not_zero");
  v.code().vptestmd(is_not_zero, y, y);
  v.code().vmovdqa32(x | is_not_zero | T_z, result);
}

// Sets `to` to the quotients of a and b; anything where b is 0.
template <class V>
void Divide(V& v, const Xmm& to, const Xmm& a, const Xmm& b, Signedness signedness, VecRounding rounding) {
  const VecReg high = v.New("high");
  DivideHalf(v, high, a, b, VecHalf::kHigh, signedness, rounding);
  DivideHalf(v, to, a, b, VecHalf::kLow, signedness, rounding);
  JoinHalves(v, to, high);
}

// Vectors take turns with the registers: what limits them all is the divider.
template <class V>
void EmitQuotient(V& v, const VecGroup& x, const VecGroup& y, Signedness signedness, VecRounding rounding) {
  for (int i = 0; i < x.size(); ++i) {
    const VecReg quotient = v.New("quotient");
    Divide(v, quotient, x[i], y[i], signedness, rounding);
    TakeUnlessZero(v, x[i], quotient, y[i]);
  }
}

template <class V>
void EmitRemainder(V& v, const VecGroup& x, const VecGroup& y, Signedness signedness, VecRounding rounding) {
  for (int i = 0; i < x.size(); ++i) {
    const VecReg remainder = v.New("remainder");
    Divide(v, remainder, x[i], y[i], signedness, rounding);
    v.MulI32(remainder, remainder, y[i]);
    v.SubI32(remainder, x[i], remainder);
    TakeUnlessZero(v, x[i], remainder, y[i]);
  }
}

}  // namespace

template <class V>
void EmitDivideI32(V& v, const VecGroup& x, const VecGroup& y) {
  EmitQuotient(v, x, y, Signedness::kSigned, VecRounding::kTowardsZero);
}

template <class V>
void EmitFloorDivideI32(V& v, const VecGroup& x, const VecGroup& y) {
  EmitQuotient(v, x, y, Signedness::kSigned, VecRounding::kDown);
}

template <class V>
void EmitModI32(V& v, const VecGroup& x, const VecGroup& y) {
  EmitRemainder(v, x, y, Signedness::kSigned, VecRounding::kTowardsZero);
}

template <class V>
void EmitFloorModI32(V& v, const VecGroup& x, const VecGroup& y) {
  EmitRemainder(v, x, y, Signedness::kSigned, VecRounding::kDown);
}

template <class V>
void EmitDivideU32(V& v, const VecGroup& x, const VecGroup& y) {
  EmitQuotient(v, x, y, Signedness::kUnsigned, VecRounding::kDown);
}

template <class V>
void EmitModU32(V& v, const VecGroup& x, const VecGroup& y) {
  EmitRemainder(v, x, y, Signedness::kUnsigned, VecRounding::kDown);
}

template void EmitDivideI32(VecAvx2&, const VecGroup&, const VecGroup&);
template void EmitDivideI32(VecAvx512&, const VecGroup&, const VecGroup&);
template void EmitFloorDivideI32(VecAvx2&, const VecGroup&, const VecGroup&);
template void EmitFloorDivideI32(VecAvx512&, const VecGroup&, const VecGroup&);
template void EmitModI32(VecAvx2&, const VecGroup&, const VecGroup&);
template void EmitModI32(VecAvx512&, const VecGroup&, const VecGroup&);
template void EmitFloorModI32(VecAvx2&, const VecGroup&, const VecGroup&);
template void EmitFloorModI32(VecAvx512&, const VecGroup&, const VecGroup&);
template void EmitDivideU32(VecAvx2&, const VecGroup&, const VecGroup&);
template void EmitDivideU32(VecAvx512&, const VecGroup&, const VecGroup&);
template void EmitModU32(VecAvx2&, const VecGroup&, const VecGroup&);
template void EmitModU32(VecAvx512&, const VecGroup&, const VecGroup&);

}  // namespace burin::jit
