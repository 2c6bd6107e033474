#include "jit/emitters/vec_avx2.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "base/check.h"
#include "jit/asm/assembler.h"
#include "jit/asm/constant_pool.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {

void VecAvx2::SetMaskFor(const MaskRegister& mask, int count) {
  std::array<int32_t, kLanes> lanes;
  for (int i = 0; i < kLanes; ++i) lanes[static_cast<size_t>(i)] = i < count ? -1 : 0;
  code().vmovups(mask, code().Table(absl::Span<const int32_t>(lanes)));
}

void VecAvx2::SetMaskFor(const MaskRegister& mask, const Reg64& count, const Reg64& scratch) {
  // A window into kLanes set elements and kLanes clear ones, `count` elements before the border.
  std::array<int32_t, 2 * kLanes> lanes;
  for (int i = 0; i < 2 * kLanes; ++i) lanes[static_cast<size_t>(i)] = i < kLanes ? -1 : 0;
  const Constant table = code().constants().Table(absl::Span<const int32_t>(lanes));
  const GprReg border = code().regs().Gpr("mask_border");
  code().lea(border, code().At(table, kLanes * 4));
  code().mov(scratch, count);
  code().neg(scratch);
  code().vmovups(mask, ptr[border + scratch * 4]);
}

void VecAvx2::Compare(const Mask& mask, const VecGroup& a, const VecSource& b, VecCompare compare) {
  Each(a, b,
       [&](int i, const Operand& source) { code().vcmpps(mask[i], a[i], source, static_cast<uint8_t>(compare)); });
}

void VecAvx2::CompareI32(const Mask& mask, const VecGroup& a, const VecSource& b, VecCompareI32 compare) {
  const bool exchange = compare == VecCompareI32::kLess || compare == VecCompareI32::kGreaterEqual;
  const bool negate = compare == VecCompareI32::kNotEqual || compare == VecCompareI32::kLessEqual ||
                      compare == VecCompareI32::kGreaterEqual;
  const bool equal = compare == VecCompareI32::kEqual || compare == VecCompareI32::kNotEqual;
  Each(a, b, [&](int i, const Operand& source) {
    // There is only "equal" and "greater", whose first source is a register.
    if (equal) {
      code().vpcmpeqd(mask[i], a[i], source);
    } else if (!exchange) {
      code().vpcmpgtd(mask[i], a[i], source);
    } else if (source.isMEM()) {
      const VecReg loaded = New("compared");
      code().vmovups(loaded, static_cast<const Address&>(source));
      code().vpcmpgtd(mask[i], loaded, a[i]);
    } else {
      code().vpcmpgtd(mask[i], static_cast<const Xmm&>(source), a[i]);
    }
  });
  if (!negate) return;
  const VecReg ones = New("ones");
  code().vpcmpeqd(ones, ones, ones);
  for (int i = 0; i < a.size(); ++i) code().vxorps(mask[i], mask[i], ones);
}

void VecAvx2::JumpIfNone(const Mask& mask, const Label& label) {
  if (mask.size() == 1) {
    code().vtestps(mask[0], mask[0]);
  } else {
    const MaskRegister any = NewMask("any");
    Or(any, mask[0], mask[1]);
    for (int i = 2; i < mask.size(); ++i) Or(any, any, mask[i]);
    code().vtestps(any, any);
  }
  code().jz(label);
}

void VecAvx2::Select(const VecGroup& to, const Mask& mask, const VecGroup& if_true, const VecGroup& if_false) {
  for (int i = 0; i < to.size(); ++i) code().vblendvps(to[i], if_false[i], if_true[i], mask[i]);
}

void VecAvx2::Round(const VecGroup& to, const VecSource& from, VecRounding rounding) {
  // Bit 3: the inexact result is no exception.
  const auto how = static_cast<uint8_t>(0x08 | static_cast<uint8_t>(rounding));
  Each(to, from, [&](int i, const Operand& source) { code().vroundps(to[i], source, how); });
}

void VecAvx2::ReduceBy(const Xmm& x, absl::FunctionRef<void(const VecGroup& x, const VecGroup& other)> combine) {
  const VecReg other = New("reduce");
  // Swap halves of the vector, then halves and elements of those.
  code().vperm2f128(AsYmm(other), AsYmm(x), AsYmm(x), 0x01);
  combine(x, other);
  code().vpermilps(other, x, 0x4e);
  combine(x, other);
  code().vpermilps(other, x, 0xb1);
  combine(x, other);
}

void VecAvx2::ReduceAdd(const Xmm& x) {
  ReduceBy(x, [this](const VecGroup& a, const VecGroup& b) { Add(a, a, b); });
}

void VecAvx2::ReduceMax(const Xmm& x) {
  ReduceBy(x, [this](const VecGroup& a, const VecGroup& b) { Max(a, a, b); });
}

void VecAvx2::ReduceMin(const Xmm& x) {
  ReduceBy(x, [this](const VecGroup& a, const VecGroup& b) { Min(a, a, b); });
}

void VecAvx2::Gather(const Xmm& to, const Reg64& base, const Xmm& indices) {
  const VecReg pending = New("gather");
  code().vpcmpeqd(pending, pending, pending);
  // What the instruction merges into is all replaced: cutting the dependency is worth a micro-op.
  Zero(to);
  code().vgatherdps(to, ptr[base + indices * 4], pending);
}

void VecAvx2::GatherMasked(const Xmm& to, const MaskRegister& mask, const Reg64& base, const Xmm& indices) {
  const VecReg pending = New("gather");
  Copy(pending, mask);
  Zero(to);
  code().vgatherdps(to, ptr[base + indices * 4], pending);
}

void VecAvx2::Transpose(absl::Span<const VecReg> rows) {
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
  // Halves of 128 bits: a 2 x 2 matrix for each c.
  for (int c = 0; c < 4; ++c) {
    Copy(spare[c], rows[c]);
    code().vperm2f128(AsYmm(rows[c]), AsYmm(spare[c]), AsYmm(rows[4 + c]), 0x20);
    code().vperm2f128(AsYmm(rows[4 + c]), AsYmm(spare[c]), AsYmm(rows[4 + c]), 0x31);
  }
}

}  // namespace burin::jit
