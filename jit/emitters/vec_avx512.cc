#include "jit/emitters/vec_avx512.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "base/check.h"
#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_group.h"
#include "jit/isa/target.h"

namespace burin::jit {

VecAvx512::VecAvx512(Assembler& code, const Target& target)
    : VecAvx512(code, target.microarch().fma512_per_cycle >= 2 ? VecDivision::kReciprocal : VecDivision::kInstruction) {
}

void VecAvx512::SetMaskFor(const MaskRegister& mask, int count) {
  const GprReg bits = code().regs().Gpr("mask_bits");
  code().mov(bits.cvt32(), count >= kLanes ? 0xffff : (1 << count) - 1);
  code().kmovw(mask, bits.cvt32());
}

void VecAvx512::SetMaskFor(const MaskRegister& mask, const Reg64& count, const Reg64& scratch) {
  code().mov(scratch.cvt32(), 0xffff);
  code().bzhi(scratch.cvt32(), scratch.cvt32(), count.cvt32());
  code().kmovw(mask, scratch.cvt32());
}

VecAvx512::Mask VecAvx512::NewMask(absl::string_view name, int count) {
  std::vector<MaskReg> masks;
  masks.reserve(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) masks.push_back(NewMask(name));
  return Mask(std::move(masks));
}

void VecAvx512::Compare(const Mask& mask, const VecGroup& a, const VecSource& b, VecCompare compare) {
  Each(a, b,
       [&](int i, const Operand& source) { code().vcmpps(mask[i], a[i], source, static_cast<uint8_t>(compare)); });
}

void VecAvx512::CompareI32(const Mask& mask, const VecGroup& a, const VecSource& b, VecCompareI32 compare) {
  Each(a, b,
       [&](int i, const Operand& source) { code().vpcmpd(mask[i], a[i], source, static_cast<uint8_t>(compare)); });
}

void VecAvx512::MaskOfSigns(const Mask& mask, const VecGroup& from) {
  for (int i = 0; i < from.size(); ++i) code().vpmovd2m(mask[i], from[i]);
}

void VecAvx512::AndMasks(const Mask& to, const Mask& a, const Mask& b) {
  for (int i = 0; i < to.size(); ++i) code().kandw(to[i], a[i], b[i]);
}

void VecAvx512::OrMasks(const Mask& to, const Mask& a, const Mask& b) {
  for (int i = 0; i < to.size(); ++i) code().korw(to[i], a[i], b[i]);
}

void VecAvx512::JumpIfNone(const Mask& mask, const Label& label) {
  if (mask.size() == 1) {
    code().kortestw(mask[0], mask[0]);
  } else {
    const MaskRegister any = NewMask("any");
    code().korw(any, mask[0], mask[1]);
    for (int i = 2; i + 1 < mask.size(); ++i) code().korw(any, any, mask[i]);
    // The last one joins without an instruction of its own.
    code().kortestw(any, mask[mask.size() == 2 ? 1 : mask.size() - 1]);
  }
  code().jz(label);
}

void VecAvx512::Select(const VecGroup& to, const Mask& mask, const VecGroup& if_true, const VecGroup& if_false) {
  for (int i = 0; i < to.size(); ++i) code().vblendmps(to[i] | mask[i], if_false[i], if_true[i]);
}

void VecAvx512::DivFast(const VecGroup& to, const VecGroup& a, const VecGroup& b) {
  if (division_ == VecDivision::kInstruction) {
    Div(to, a, b);
    return;
  }
  // A quotient good to 14 bits, then the remainder, which is exact, times the reciprocal.
  const VecRegs reciprocal = New("reciprocal", to.size());
  for (int i = 0; i < to.size(); ++i) code().vrcp14ps(reciprocal[i], b[i]);
  Mul(to, a, reciprocal);
  MulSubtractFrom(a, b, to);
  MulAdd(to, a, reciprocal);
}

void VecAvx512::Round(const VecGroup& to, const VecSource& from, VecRounding rounding) {
  // Bit 3: the inexact result is no exception.
  const auto how = static_cast<uint8_t>(0x08 | static_cast<uint8_t>(rounding));
  Each(to, from, [&](int i, const Operand& source) { code().vrndscaleps(to[i], source, how); });
}

void VecAvx512::ReduceBy(const Xmm& x, absl::FunctionRef<void(const VecGroup& x, const VecGroup& other)> combine) {
  const VecReg other = New("reduce");
  // Half as wide at each step while that is cheaper: the processor may take two passes for 512 bits.
  code().vextractf64x4(AsYmm(other), AsZmm(x), 1);
  combine(AsYmm(x), AsYmm(other));
  code().vextractf32x4(AsXmm(other), AsYmm(x), 1);
  combine(AsXmm(x), AsXmm(other));
  code().vpermilps(AsXmm(other), AsXmm(x), 0x4e);
  combine(AsXmm(x), AsXmm(other));
  code().vpermilps(AsXmm(other), AsXmm(x), 0xb1);
  combine(AsXmm(x), AsXmm(other));
  BroadcastFirst(x, x);
}

void VecAvx512::ReduceAdd(const Xmm& x) {
  ReduceBy(x, [this](const VecGroup& a, const VecGroup& b) { Add(a, a, b); });
}

void VecAvx512::ReduceMax(const Xmm& x) {
  ReduceBy(x, [this](const VecGroup& a, const VecGroup& b) { Max(a, a, b); });
}

void VecAvx512::ReduceMin(const Xmm& x) {
  ReduceBy(x, [this](const VecGroup& a, const VecGroup& b) { Min(a, a, b); });
}

void VecAvx512::Gather(const Xmm& to, const Reg64& base, const Xmm& indices) {
  const MaskReg pending = NewMask("gather");
  code().kxnorw(pending, pending, pending);
  // What the instruction merges into is all replaced: cutting the dependency is worth a micro-op.
  Zero(to);
  code().vgatherdps(to | pending, ptr[base + indices * 4]);
}

void VecAvx512::GatherMasked(const Xmm& to, const MaskRegister& mask, const Reg64& base, const Xmm& indices) {
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
