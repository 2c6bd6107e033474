#include "jit/emitters/logic/boolean.h"

#include <cstdint>

#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {

void MaskOfZeros(VecAvx2& v, const VecAvx2::Mask& mask, const VecGroup& x) {
  const VecReg zero = v.New("zero");
  v.Zero(zero);
  for (int i = 0; i < x.size(); ++i) v.code().vpcmpeqd(mask[i], x[i], zero);
}

void MaskOfZeros(VecAvx512& v, const VecAvx512::Mask& mask, const VecGroup& x) {
  for (int i = 0; i < x.size(); ++i) v.code().vptestnmd(mask[i], x[i], x[i]);
}

void BooleansOfMask(VecAvx2& v, const VecGroup& to, const VecAvx2::Mask& mask) { v.ShiftRightU32(to, mask, 31); }

void BooleansOfMask(VecAvx512& v, const VecGroup& to, const VecAvx512::Mask& mask) {
  const VecReg one = v.ConstReg(int32_t{1});
  for (int i = 0; i < to.size(); ++i) v.code().vmovdqa32(to[i] | mask[i] | T_z, one);
}

}  // namespace burin::jit
