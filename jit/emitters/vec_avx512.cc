#include "jit/emitters/vec_avx512.h"

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "base/check.h"
#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/vec.h"

namespace burin::jit {

void VecAvx512::SetMaskFor(const Mask& mask, int count) {
  const GprReg bits = code().regs().Gpr("mask_bits");
  code().mov(bits.cvt32(), count >= kLanes ? 0xffff : (1 << count) - 1);
  code().kmovw(mask, bits.cvt32());
}

void VecAvx512::SetMaskFor(const Mask& mask, const Reg64& count, const Reg64& scratch) {
  code().mov(scratch.cvt32(), 0xffff);
  code().bzhi(scratch.cvt32(), scratch.cvt32(), count.cvt32());
  code().kmovw(mask, scratch.cvt32());
}

void VecAvx512::Compare(const Mask& mask, const Xmm& a, const Operand& b, VecCompare compare) {
  code().vcmpps(mask, a, b, static_cast<uint8_t>(compare));
}

void VecAvx512::Select(const Xmm& to, const Mask& mask, const Xmm& if_true, const Xmm& if_false) {
  code().vblendmps(to | mask, if_false, if_true);
}

void VecAvx512::Round(const Xmm& to, const Operand& from, VecRounding rounding) {
  // Bit 3: the inexact result is no exception.
  code().vrndscaleps(to, from, static_cast<uint8_t>(0x08 | static_cast<uint8_t>(rounding)));
}

void VecAvx512::Reduce(const Xmm& x, Reduction reduction) {
  const VecReg other = New("reduce");
  const auto combine = [&] {
    if (reduction == Reduction::kAdd) Add(x, x, other);
    if (reduction == Reduction::kMax) Max(x, x, other);
    if (reduction == Reduction::kMin) Min(x, x, other);
  };
  // Swap halves of the vector, then quarters, then halves and elements of quarters.
  code().vshuff32x4(AsZmm(other), AsZmm(x), AsZmm(x), 0x4e);
  combine();
  code().vshuff32x4(AsZmm(other), AsZmm(x), AsZmm(x), 0xb1);
  combine();
  code().vpermilps(other, x, 0x4e);
  combine();
  code().vpermilps(other, x, 0xb1);
  combine();
}

void VecAvx512::ReduceAdd(const Xmm& x) { Reduce(x, Reduction::kAdd); }
void VecAvx512::ReduceMax(const Xmm& x) { Reduce(x, Reduction::kMax); }
void VecAvx512::ReduceMin(const Xmm& x) { Reduce(x, Reduction::kMin); }

void VecAvx512::Gather(const Xmm& to, const Reg64& base, const Xmm& indices) {
  const MaskReg pending = NewMask("gather");
  code().kxnorw(pending, pending, pending);
  // What the instruction merges into is all replaced: cutting the dependency is worth a micro-op.
  Zero(to);
  code().vgatherdps(to | pending, ptr[base + indices * 4]);
}

void VecAvx512::GatherMasked(const Xmm& to, const Mask& mask, const Reg64& base, const Xmm& indices) {
  const MaskReg pending = NewMask("gather");
  code().kmovw(pending, mask);
  Zero(to);
  code().vgatherdps(to | pending, ptr[base + indices * 4]);
}

void VecAvx512::Transpose(absl::Span<const VecReg> rows) {
  BURIN_CHECK(rows.size() == kLanes) << "rows: " << rows.size();
  std::vector<VecReg> spare;
  for (int i = 0; i < kLanes; ++i) spare.push_back(New("transpose"));
  // Pairs of rows, then pairs of pairs: afterwards rows[4 * g + c] holds column c (modulo 4) of rows 4 g to 4 g + 3.
  for (int i = 0; i < kLanes; i += 2) {
    code().vunpcklps(spare[i], rows[i], rows[i + 1]);
    code().vunpckhps(spare[i + 1], rows[i], rows[i + 1]);
  }
  for (int i = 0; i < kLanes; i += 4) {
    code().vunpcklpd(rows[i], spare[i], spare[i + 2]);
    code().vunpckhpd(rows[i + 1], spare[i], spare[i + 2]);
    code().vunpcklpd(rows[i + 2], spare[i + 1], spare[i + 3]);
    code().vunpckhpd(rows[i + 3], spare[i + 1], spare[i + 3]);
  }
  // The same on quarters of 128 bits, a 4 x 4 matrix for each c.
  for (int c = 0; c < 4; ++c) {
    code().vshuff32x4(AsZmm(spare[c]), AsZmm(rows[c]), AsZmm(rows[4 + c]), 0x88);
    code().vshuff32x4(AsZmm(spare[4 + c]), AsZmm(rows[c]), AsZmm(rows[4 + c]), 0xdd);
    code().vshuff32x4(AsZmm(spare[8 + c]), AsZmm(rows[8 + c]), AsZmm(rows[12 + c]), 0x88);
    code().vshuff32x4(AsZmm(spare[12 + c]), AsZmm(rows[8 + c]), AsZmm(rows[12 + c]), 0xdd);
  }
  for (int c = 0; c < 4; ++c) {
    code().vshuff32x4(AsZmm(rows[c]), AsZmm(spare[c]), AsZmm(spare[8 + c]), 0x88);
    code().vshuff32x4(AsZmm(rows[8 + c]), AsZmm(spare[c]), AsZmm(spare[8 + c]), 0xdd);
    code().vshuff32x4(AsZmm(rows[4 + c]), AsZmm(spare[4 + c]), AsZmm(spare[12 + c]), 0x88);
    code().vshuff32x4(AsZmm(rows[12 + c]), AsZmm(spare[4 + c]), AsZmm(spare[12 + c]), 0xdd);
  }
}

}  // namespace burin::jit
