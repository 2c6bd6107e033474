#include "jit/emitters/memory/vec_part.h"

#include <algorithm>
#include <utility>

#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"

namespace burin::jit {

VecPart<VecAvx2> VecPart<VecAvx2>::First(VecAvx2&, int count) {
  VecPart part;
  if (count < VecAvx2::kLanes) part.count_ = std::max(count, 0);
  return part;
}

VecPart<VecAvx2> VecPart<VecAvx2>::First(VecAvx2&, const Reg64& count) {
  VecPart part;
  part.count_reg_ = count;
  return part;
}

VecPart<VecAvx2> VecPart<VecAvx2>::First(VecAvx2&, const Address& count, const Address& mask) {
  VecPart part;
  part.count_memory_ = count;
  part.mask_memory_ = mask;
  return part;
}

VecPart<VecAvx512> VecPart<VecAvx512>::Of(const MaskReg& mask) {
  VecPart part;
  part.lent_ = &mask;
  return part;
}

VecPart<VecAvx512> VecPart<VecAvx512>::First(VecAvx512& v, int count) {
  VecPart part;
  if (count >= VecAvx512::kLanes) return part;
  part.own_ = v.NewMask("part");
  v.SetMaskFor(*part.own_, std::max(count, 0));
  return part;
}

VecPart<VecAvx512> VecPart<VecAvx512>::First(VecAvx512& v, const Reg64& count) {
  VecPart part;
  part.own_ = v.NewMask("part");
  const GprReg scratch = v.code().regs().Gpr("scratch");
  v.SetMaskFor(*part.own_, count, scratch);
  return part;
}

}  // namespace burin::jit
