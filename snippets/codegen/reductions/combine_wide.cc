#include "snippets/codegen/reductions/combine_wide.h"

#include "jit/asm/assembler.h"
#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"
#include "jit/emitters/wide/i64_arithmetic.h"
#include "jit/emitters/wide/wide_masks.h"
#include "snippets/linear/linear_ir.h"

namespace burin::snippets {
namespace {

// Emits an extreme of doubles. The instruction keeps a NaN of acc; those of x are put in.
template <class V>
void EmitExtreme(V& v, Reduction reduction, const jit::Xmm& acc, const jit::Xmm& x) {
  const typename V::MaskRegister nan = v.NewMask("nan");
  if (reduction == Reduction::kMaximum) {
    v.code().vmaxpd(acc, x, acc);
  } else {
    v.code().vminpd(acc, x, acc);
  }
  jit::CompareF64(v, nan, x, x, jit::VecCompare::kUnordered);
  jit::SelectWide(v, acc, nan, x, acc);
}

template <class V>
void EmitCombineF64(V& v, Reduction reduction, const jit::Xmm& acc, const jit::Xmm& x) {
  switch (reduction) {
    case Reduction::kSum:
      return v.code().vaddpd(acc, acc, x);
    case Reduction::kProduct:
      return v.code().vmulpd(acc, acc, x);
    case Reduction::kMaximum:
    case Reduction::kMinimum:
      return EmitExtreme(v, reduction, acc, x);
  }
}

template <class V>
void EmitCombineI64(V& v, Reduction reduction, const jit::VecGroup& acc, const jit::VecGroup& x) {
  switch (reduction) {
    case Reduction::kSum:
      return jit::EmitAddI64(v, acc, acc, x);
    case Reduction::kProduct:
      return jit::EmitMultiplyI64(v, acc, acc, x);
    case Reduction::kMaximum:
      return jit::EmitMaximumI64(v, acc, acc, x);
    case Reduction::kMinimum:
      return jit::EmitMinimumI64(v, acc, acc, x);
  }
}

// Combines the lanes of one register: combine(x, other) sets x to x OP other.
template <class Combine>
void ReduceLanes(jit::VecAvx2& v, const jit::Xmm& x, const Combine& combine) {
  const jit::VecReg other = v.New("reduce");
  v.code().vperm2f128(jit::AsYmm(other), jit::AsYmm(x), jit::AsYmm(x), 0x01);
  combine(x, other);
  v.code().vpermilpd(other, x, 0x5);
  combine(x, other);
}
template <class Combine>
void ReduceLanes(jit::VecAvx512& v, const jit::Xmm& x, const Combine& combine) {
  const jit::VecReg other = v.New("reduce");
  v.code().vextractf64x4(jit::AsYmm(other), jit::AsZmm(x), 1);
  combine(jit::AsYmm(x), jit::AsYmm(other));
  v.code().vextractf64x2(jit::AsXmm(other), jit::AsYmm(x), 1);
  combine(jit::AsXmm(x), jit::AsXmm(other));
  v.code().vpermilpd(jit::AsXmm(other), jit::AsXmm(x), 0x1);
  combine(jit::AsXmm(x), jit::AsXmm(other));
  v.code().vbroadcastsd(jit::AsZmm(x), jit::AsXmm(x));
}

}  // namespace

template <class V>
void EmitCombineWide(V& v, Reduction reduction, bool is_float, const jit::VecGroup& acc, const jit::VecGroup& x) {
  if (!is_float) return EmitCombineI64(v, reduction, acc, x);
  for (int i = 0; i < acc.size(); ++i) EmitCombineF64(v, reduction, acc[i], x[i]);
}

template <class V>
void EmitAddProductWide(V& v, bool fresh, const jit::VecGroup& acc, const jit::VecGroup& x, const jit::VecGroup& y) {
  for (int i = 0; i < acc.size(); ++i) {
    if (fresh) {
      v.code().vmulpd(acc[i], x[i], y[i]);
    } else {
      v.code().vfmadd231pd(acc[i], x[i], y[i]);
    }
  }
}

template <class V>
void EmitCombineLanesWide(V& v, Reduction reduction, bool is_float, const jit::VecGroup& x) {
  const auto combine = [&](const jit::Xmm& to, const jit::Xmm& other) {
    EmitCombineWide(v, reduction, is_float, jit::VecGroup(to), jit::VecGroup(other));
  };
  for (int count = x.size(); count > 1; count = (count + 1) / 2) {
    const int half = (count + 1) / 2;
    for (int i = 0; i + half < count; ++i) combine(x[i], x[i + half]);
  }
  ReduceLanes(v, x[0], combine);
}

template void EmitCombineWide(jit::VecAvx2&, Reduction, bool, const jit::VecGroup&, const jit::VecGroup&);
template void EmitCombineWide(jit::VecAvx512&, Reduction, bool, const jit::VecGroup&, const jit::VecGroup&);
template void EmitAddProductWide(jit::VecAvx2&, bool, const jit::VecGroup&, const jit::VecGroup&, const jit::VecGroup&);
template void EmitAddProductWide(jit::VecAvx512&, bool, const jit::VecGroup&, const jit::VecGroup&,
                                 const jit::VecGroup&);
template void EmitCombineLanesWide(jit::VecAvx2&, Reduction, bool, const jit::VecGroup&);
template void EmitCombineLanesWide(jit::VecAvx512&, Reduction, bool, const jit::VecGroup&);

}  // namespace burin::snippets
