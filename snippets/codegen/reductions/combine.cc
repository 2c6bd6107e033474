#include "snippets/codegen/reductions/combine.h"

#include <cstdint>

#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/arithmetic/sums_and_products.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"
#include "snippets/linear/linear_ir.h"

namespace burin::snippets {
namespace {

// Emits the instruction, which gives b where a or b is NaN, and for two zeros.
template <class V>
void EmitExtreme(V& v, Reduction reduction, const jit::VecGroup& to, const jit::VecGroup& a, const jit::VecGroup& b) {
  if (reduction == Reduction::kMaximum) {
    v.Max(to, a, b);
  } else {
    v.Min(to, a, b);
  }
}

// Makes `acc` NaN where a or b is: their sum is a NaN, and so is a comparison's mask.
void EmitKeepNaN(jit::VecAvx512& v, const jit::Xmm& acc, const jit::Xmm& a, const jit::Xmm& b) {
  const jit::MaskReg nan = v.NewMask("nan");
  v.code().vcmpps(nan, a, b, static_cast<uint8_t>(jit::VecCompare::kUnordered));
  v.code().vaddps(acc | nan, a, b);
}
void EmitKeepNaN(jit::VecAvx2& v, const jit::Xmm& acc, const jit::Xmm& a, const jit::Xmm& b) {
  const jit::VecReg nan = v.New("nan");
  v.code().vcmpps(nan, a, b, static_cast<uint8_t>(jit::VecCompare::kUnordered));
  v.code().vorps(acc, acc, nan);
}

// Emits an extreme of floats. The instruction keeps a NaN of acc; those of x are put in, of two vectors at once where
// they meet in the end.
template <class V>
void EmitExtremeOfFloats(V& v, Reduction reduction, bool lanes_meet, const jit::VecGroup& acc, const jit::VecGroup& x) {
  EmitExtreme(v, reduction, acc, x, acc);
  for (int i = 0; i < acc.size(); i += lanes_meet ? 2 : 1) {
    EmitKeepNaN(v, acc[i], x[i], lanes_meet && i + 1 < acc.size() ? x[i + 1] : x[i]);
  }
}

// Returns a register at the width of another one.
jit::Xmm AtWidthOf(const jit::Xmm& like, const jit::Xmm& reg) {
  if (like.isZMM()) return jit::AsZmm(reg);
  return like.isYMM() ? static_cast<jit::Xmm>(jit::AsYmm(reg)) : jit::AsXmm(reg);
}

// Emits an extreme of two vectors of floats on a path where latency counts: whichever of the two orders meets the NaN
// in the right place keeps it, and otherwise both give the same.
template <class V>
void EmitShortExtreme(V& v, Reduction reduction, const jit::Xmm& acc, const jit::Xmm& x) {
  const jit::VecReg spare = v.New("other_order");
  const jit::Xmm other = AtWidthOf(acc, spare);
  EmitExtreme(v, reduction, jit::VecGroup(other), jit::VecGroup(acc), jit::VecGroup(x));
  EmitExtreme(v, reduction, jit::VecGroup(acc), jit::VecGroup(x), jit::VecGroup(acc));
  v.Or(jit::VecGroup(acc), jit::VecGroup(acc), other);
}

template <class V>
void EmitShortCombine(V& v, Reduction reduction, bool is_float, const jit::Xmm& acc, const jit::Xmm& x) {
  if (is_float && (reduction == Reduction::kMaximum || reduction == Reduction::kMinimum)) {
    EmitShortExtreme(v, reduction, acc, x);
  } else {
    EmitCombine(v, reduction, is_float, true, jit::VecGroup(acc), jit::VecGroup(x));
  }
}

}  // namespace

template <class V>
void EmitCombine(V& v, Reduction reduction, bool is_float, bool lanes_meet, const jit::VecGroup& acc,
                 const jit::VecGroup& x) {
  switch (reduction) {
    case Reduction::kSum:
      is_float ? jit::EmitAdd(v, acc, x) : jit::EmitAddI32(v, acc, x);
      return;
    case Reduction::kProduct:
      is_float ? jit::EmitMultiply(v, acc, x) : jit::EmitMultiplyI32(v, acc, x);
      return;
    case Reduction::kMaximum:
      if (is_float) return EmitExtremeOfFloats(v, reduction, lanes_meet, acc, x);
      return v.MaxI32(acc, acc, x);
    case Reduction::kMinimum:
      if (is_float) return EmitExtremeOfFloats(v, reduction, lanes_meet, acc, x);
      return v.MinI32(acc, acc, x);
  }
}

template <class V>
void EmitCombineLanes(V& v, Reduction reduction, bool is_float, const jit::VecGroup& x) {
  for (int count = x.size(); count > 1; count = (count + 1) / 2) {
    const int half = (count + 1) / 2;
    for (int i = 0; i + half < count; ++i) EmitShortCombine(v, reduction, is_float, x[i], x[i + half]);
  }
  v.ReduceBy(x[0], [&](const jit::VecGroup& to, const jit::VecGroup& other) {
    EmitShortCombine(v, reduction, is_float, to[0], other[0]);
  });
}

template void EmitCombine(jit::VecAvx2&, Reduction, bool, bool, const jit::VecGroup&, const jit::VecGroup&);
template void EmitCombine(jit::VecAvx512&, Reduction, bool, bool, const jit::VecGroup&, const jit::VecGroup&);
template void EmitCombineLanes(jit::VecAvx2&, Reduction, bool, const jit::VecGroup&);
template void EmitCombineLanes(jit::VecAvx512&, Reduction, bool, const jit::VecGroup&);

}  // namespace burin::snippets
