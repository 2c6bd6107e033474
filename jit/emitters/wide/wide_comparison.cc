#include "jit/emitters/wide/wide_comparison.h"

#include <cstdint>
#include <limits>

#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/comparison/classification.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"
#include "jit/emitters/wide/wide_function.h"
#include "jit/emitters/wide/wide_masks.h"

namespace burin::jit {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int64_t kAllButSign = std::numeric_limits<int64_t>::max();

// Sets `to` to truth values: compare(mask, k) sets the mask of register k of the wide input.
template <class V, class Compare>
void EachTruth(V& v, const VecGroup& to, const Compare& compare) {
  const typename V::MaskRegister low = v.NewMask("low");
  const typename V::MaskRegister high = v.NewMask("high");
  for (int i = 0; i < to.size(); ++i) {
    compare(low, kWideRegs * i);
    compare(high, kWideRegs * i + 1);
    TruthOfMasks(v, to[i], low, high);
  }
}

// Sets `to` to where the magnitudes of doubles compare with a constant.
template <class V>
void CompareMagnitudes(V& v, const VecGroup& to, const VecGroup& x, double limit, VecCompare compare) {
  const VecReg magnitude = v.New("magnitude");
  EachTruth(v, to, [&](const typename V::MaskRegister& mask, int k) {
    v.code().vandpd(magnitude, x[k], WideConst(v, kAllButSign));
    CompareF64(v, mask, magnitude, WideConst(v, limit), compare);
  });
}

}  // namespace

template <class V>
void EmitCompareF64(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& y, VecCompare compare) {
  EachTruth(v, to, [&](const typename V::MaskRegister& mask, int k) { CompareF64(v, mask, x[k], y[k], compare); });
}

template <class V>
void EmitCompareI64(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& y, VecCompareI32 compare) {
  EachTruth(v, to, [&](const typename V::MaskRegister& mask, int k) { CompareI64(v, mask, x[k], y[k], compare); });
}

template <class V>
void EmitIsNaNF64(V& v, const VecGroup& to, const VecGroup& x) {
  EmitCompareF64(v, to, x, x, VecCompare::kUnordered);
}

template <class V>
void EmitIsFiniteF64(V& v, const VecGroup& to, const VecGroup& x) {
  CompareMagnitudes(v, to, x, kInfinity, VecCompare::kLess);
}

template <class V>
void EmitIsInfF64(V& v, const VecGroup& to, const VecGroup& x, InfinitySigns signs) {
  if (!signs.negative && !signs.positive) return v.Zero(to);
  if (signs.negative && signs.positive) return CompareMagnitudes(v, to, x, kInfinity, VecCompare::kEqual);
  EachTruth(v, to, [&](const typename V::MaskRegister& mask, int k) {
    CompareF64(v, mask, x[k], WideConst(v, signs.positive ? kInfinity : -kInfinity), VecCompare::kEqual);
  });
}

template <class V>
void EmitIsNotZeroF64(V& v, const VecGroup& to, const VecGroup& x) {
  EachTruth(v, to, [&](const typename V::MaskRegister& mask, int k) {
    CompareF64(v, mask, x[k], WideConst(v, 0.0), VecCompare::kNotEqual);
  });
}

template <class V>
void EmitIsNotZeroI64(V& v, const VecGroup& to, const VecGroup& x) {
  const VecReg zero = v.New("zero");
  v.Zero(VecGroup(zero));
  EachTruth(v, to, [&](const typename V::MaskRegister& mask, int k) {
    CompareI64(v, mask, x[k], zero, VecCompareI32::kNotEqual);
  });
}

template <class V>
void EmitSelectWide(V& v, const VecGroup& to, const VecGroup& condition, const VecGroup& if_true,
                    const VecGroup& if_false) {
  const typename V::MaskRegister low = v.NewMask("low");
  const typename V::MaskRegister high = v.NewMask("high");
  for (int k = 0; k < to.size(); k += kWideRegs) {
    MasksOfTruth(v, low, high, condition[k / kWideRegs]);
    SelectWide(v, to[k], low, if_true[k], if_false[k]);
    SelectWide(v, to[k + 1], high, if_true[k + 1], if_false[k + 1]);
  }
}

#define BURIN_INSTANTIATE(name)                                   \
  template void name(VecAvx2&, const VecGroup&, const VecGroup&); \
  template void name(VecAvx512&, const VecGroup&, const VecGroup&)

BURIN_INSTANTIATE(EmitIsNaNF64);
BURIN_INSTANTIATE(EmitIsFiniteF64);
BURIN_INSTANTIATE(EmitIsNotZeroF64);
BURIN_INSTANTIATE(EmitIsNotZeroI64);
template void EmitIsInfF64(VecAvx2&, const VecGroup&, const VecGroup&, InfinitySigns);
template void EmitIsInfF64(VecAvx512&, const VecGroup&, const VecGroup&, InfinitySigns);
template void EmitCompareF64(VecAvx2&, const VecGroup&, const VecGroup&, const VecGroup&, VecCompare);
template void EmitCompareF64(VecAvx512&, const VecGroup&, const VecGroup&, const VecGroup&, VecCompare);
template void EmitCompareI64(VecAvx2&, const VecGroup&, const VecGroup&, const VecGroup&, VecCompareI32);
template void EmitCompareI64(VecAvx512&, const VecGroup&, const VecGroup&, const VecGroup&, VecCompareI32);
template void EmitSelectWide(VecAvx2&, const VecGroup&, const VecGroup&, const VecGroup&, const VecGroup&);
template void EmitSelectWide(VecAvx512&, const VecGroup&, const VecGroup&, const VecGroup&, const VecGroup&);

#undef BURIN_INSTANTIATE

}  // namespace burin::jit
