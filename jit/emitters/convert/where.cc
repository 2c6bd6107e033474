#include "jit/emitters/convert/where.h"

#include <cstdint>

#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit::internal {
namespace {

constexpr uint32_t kAllBits = 0xFFFFFFFF;

}  // namespace

void KeepWhere(VecAvx2& v, const VecAvx2::Mask& mask, const VecGroup& x) { v.And(x, x, mask); }
void KeepWhere(VecAvx512& v, const VecAvx512::Mask& mask, const VecGroup& x) {
  for (int i = 0; i < x.size(); ++i) v.code().vmovaps(x[i] | mask[i] | T_z, x[i]);
}

void OrWhere(VecAvx2& v, const VecAvx2::Mask& mask, const VecGroup& x, uint32_t bits) {
  if (bits != kAllBits) v.And(mask, mask, v.Const(bits));
  v.Or(x, x, mask);
}
void OrWhere(VecAvx512& v, const VecAvx512::Mask& mask, const VecGroup& x, uint32_t bits) {
  const VecReg constant = v.ConstReg(bits);
  for (int i = 0; i < x.size(); ++i) v.code().vorps(x[i] | mask[i], x[i], constant);
}

void XorWhere(VecAvx2& v, const VecAvx2::Mask& mask, const VecGroup& x, uint32_t bits) {
  if (bits != kAllBits) v.And(mask, mask, v.Const(bits));
  v.Xor(x, x, mask);
}
void XorWhere(VecAvx512& v, const VecAvx512::Mask& mask, const VecGroup& x, uint32_t bits) {
  const VecReg constant = v.ConstReg(bits);
  for (int i = 0; i < x.size(); ++i) v.code().vxorps(x[i] | mask[i], x[i], constant);
}

}  // namespace burin::jit::internal
