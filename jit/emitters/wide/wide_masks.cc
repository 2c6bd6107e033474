#include "jit/emitters/wide/wide_masks.h"

#include <cstdint>

#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"

namespace burin::jit {

void CompareI64(VecAvx2& v, const VecReg& mask, const Xmm& a, const Xmm& b, VecCompareI32 compare) {
  Assembler& code = v.code();
  // There is only "equal" and "greater".
  switch (compare) {
    case VecCompareI32::kEqual:
    case VecCompareI32::kNotEqual:
      code.vpcmpeqq(mask, a, b);
      break;
    case VecCompareI32::kGreater:
    case VecCompareI32::kLessEqual:
      code.vpcmpgtq(mask, a, b);
      break;
    case VecCompareI32::kLess:
    case VecCompareI32::kGreaterEqual:
      code.vpcmpgtq(mask, b, a);
      break;
  }
  const bool negate = compare == VecCompareI32::kNotEqual || compare == VecCompareI32::kLessEqual ||
                      compare == VecCompareI32::kGreaterEqual;
  if (negate) code.vpxor(mask, mask, WideConst(v, int64_t{-1}));
}
void CompareI64(VecAvx512& v, const MaskReg& mask, const Xmm& a, const Xmm& b, VecCompareI32 compare) {
  v.code().vpcmpq(mask, a, b, static_cast<uint8_t>(compare));
}

void SelectWide(VecAvx2& v, const Xmm& to, const VecReg& mask, const Xmm& if_true, const Xmm& if_false) {
  v.code().vblendvpd(to, if_false, if_true, mask);
}
void SelectWide(VecAvx512& v, const Xmm& to, const MaskReg& mask, const Xmm& if_true, const Xmm& if_false) {
  v.code().vblendmpd(to | mask, if_false, if_true);
}

void KeepWideWhere(VecAvx2& v, const VecReg& mask, const Xmm& x) { v.code().vandpd(x, x, mask); }
void KeepWideWhere(VecAvx512& v, const MaskReg& mask, const Xmm& x) { v.code().vmovapd(x | mask | T_z, x); }

void TruthOfMasks(VecAvx2& v, const Xmm& to, const VecReg& low, const VecReg& high) {
  v.code().vshufps(to, low, high, 0x88);
  v.code().vpermq(AsYmm(to), AsYmm(to), 0xD8);
  v.code().vpsrld(to, to, 31);
}
void TruthOfMasks(VecAvx512& v, const Xmm& to, const MaskReg& low, const MaskReg& high) {
  v.code().kunpckbw(low, high, low);
  v.code().vpbroadcastd(to | low | T_z, v.code().Scalar(int32_t{1}));
}

void MasksOfTruth(VecAvx2& v, const VecReg& low, const VecReg& high, const Xmm& from) {
  v.code().vpxor(low, low, low);
  v.code().vpsubd(low, low, from);
  v.code().vextracti128(AsXmm(high), AsYmm(low), 1);
  v.code().vpmovsxdq(AsYmm(low), AsXmm(low));
  v.code().vpmovsxdq(AsYmm(high), AsXmm(high));
}
void MasksOfTruth(VecAvx512& v, const MaskReg& low, const MaskReg& high, const Xmm& from) {
  v.code().vptestmd(low, from, from);
  v.code().kshiftrw(high, low, VecAvx512::kLanes / 2);
}

}  // namespace burin::jit
