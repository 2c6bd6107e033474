#include "jit/emitters/wide/f64_arithmetic.h"

#include <cstdint>
#include <limits>

#include "jit/asm/reg_pool.h"
#include "jit/emitters/arithmetic/f64_halves.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"
#include "jit/emitters/wide/wide_masks.h"

namespace burin::jit {
namespace {

constexpr int64_t kSign = std::numeric_limits<int64_t>::min();
constexpr int64_t kAllButSign = std::numeric_limits<int64_t>::max();

}  // namespace

template <class V>
void EmitAddF64(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& y) {
  for (int i = 0; i < to.size(); ++i) v.code().vaddpd(to[i], x[i], y[i]);
}

template <class V>
void EmitSubtractF64(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& y) {
  for (int i = 0; i < to.size(); ++i) v.code().vsubpd(to[i], x[i], y[i]);
}

template <class V>
void EmitMultiplyF64(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& y) {
  for (int i = 0; i < to.size(); ++i) v.code().vmulpd(to[i], x[i], y[i]);
}

template <class V>
void EmitDivideF64(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& y) {
  for (int i = 0; i < to.size(); ++i) v.code().vdivpd(to[i], x[i], y[i]);
}

template <class V>
void EmitSquaredDifferenceF64(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& y) {
  EmitSubtractF64(v, to, x, y);
  for (int i = 0; i < to.size(); ++i) v.code().vmulpd(to[i], to[i], to[i]);
}

template <class V>
void EmitMinimumF64(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& y) {
  // The instruction gives y where either is NaN.
  const typename V::MaskRegister nan = v.NewMask("nan");
  for (int i = 0; i < to.size(); ++i) {
    v.code().vminpd(to[i], x[i], y[i]);
    CompareF64(v, nan, x[i], x[i], VecCompare::kUnordered);
    SelectWide(v, to[i], nan, x[i], to[i]);
  }
}

template <class V>
void EmitMaximumF64(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& y) {
  const typename V::MaskRegister nan = v.NewMask("nan");
  for (int i = 0; i < to.size(); ++i) {
    v.code().vmaxpd(to[i], x[i], y[i]);
    CompareF64(v, nan, x[i], x[i], VecCompare::kUnordered);
    SelectWide(v, to[i], nan, x[i], to[i]);
  }
}

template <class V>
void EmitClampF64(V& v, const VecGroup& to, const VecGroup& x, double min, double max) {
  const VecReg limit = v.New("limit");
  // The second source comes back where one is NaN.
  v.Load(limit, WideConst(v, min));
  for (int i = 0; i < to.size(); ++i) v.code().vmaxpd(to[i], limit, x[i]);
  v.Load(limit, WideConst(v, max));
  for (int i = 0; i < to.size(); ++i) v.code().vminpd(to[i], limit, to[i]);
}

template <class V>
void EmitSqrtF64(V& v, const VecGroup& to, const VecGroup& x) {
  for (int i = 0; i < to.size(); ++i) v.code().vsqrtpd(to[i], x[i]);
}

template <class V>
void EmitNegativeF64(V& v, const VecGroup& to, const VecGroup& x) {
  for (int i = 0; i < to.size(); ++i) v.code().vxorpd(to[i], x[i], WideConst(v, kSign));
}

template <class V>
void EmitAbsF64(V& v, const VecGroup& to, const VecGroup& x) {
  for (int i = 0; i < to.size(); ++i) v.code().vandpd(to[i], x[i], WideConst(v, kAllButSign));
}

template <class V>
void EmitReluF64(V& v, const VecGroup& to, const VecGroup& x) {
  for (int i = 0; i < to.size(); ++i) {
    v.code().vxorpd(to[i], to[i], to[i]);
    // Of two zeros, and where one is NaN, the result is the second.
    v.code().vmaxpd(to[i], to[i], x[i]);
  }
}

template <class V>
void EmitPReluF64(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& slope) {
  const typename V::MaskRegister negative = v.NewMask("negative");
  for (int i = 0; i < to.size(); ++i) {
    v.code().vmulpd(to[i], x[i], slope[i]);
    CompareF64(v, negative, x[i], WideConst(v, 0.0), VecCompare::kLess);
    SelectWide(v, to[i], negative, to[i], x[i]);
  }
}

template <class V>
void EmitSignF64(V& v, const VecGroup& to, const VecGroup& x) {
  const typename V::MaskRegister stays = v.NewMask("stays");
  for (int i = 0; i < to.size(); ++i) {
    // Zeros and NaN, whose magnitude is not above 0.
    v.code().vandpd(to[i], x[i], WideConst(v, kAllButSign));
    CompareF64(v, stays, to[i], WideConst(v, 0.0), VecCompare::kNotGreater);
    v.code().vandpd(to[i], x[i], WideConst(v, kSign));
    v.code().vorpd(to[i], to[i], WideConst(v, 1.0));
    SelectWide(v, to[i], stays, x[i], to[i]);
  }
}

template <class V>
void EmitRoundF64(V& v, const VecGroup& to, const VecGroup& x, VecRounding rounding) {
  for (int i = 0; i < to.size(); ++i) {
    v.code().vmovapd(to[i], x[i]);
    RoundF64(v, to[i], rounding);
  }
}

template <class V>
void EmitRoundHalfAwayFromZeroF64(V& v, const VecGroup& to, const VecGroup& x) {
  // The number below 1/2: added to a half, it makes a tie, which rounds to the even integer above, and it never takes
  // what is below a half there.
  constexpr double kBelowHalf = 0x1.fffffffffffffp-2;
  for (int i = 0; i < to.size(); ++i) {
    v.code().vandpd(to[i], x[i], WideConst(v, kSign));
    v.code().vorpd(to[i], to[i], WideConst(v, kBelowHalf));
    v.code().vaddpd(to[i], to[i], x[i]);
    RoundF64(v, to[i], VecRounding::kTowardsZero);
  }
}

#define BURIN_INSTANTIATE_UNARY(name)                             \
  template void name(VecAvx2&, const VecGroup&, const VecGroup&); \
  template void name(VecAvx512&, const VecGroup&, const VecGroup&)
#define BURIN_INSTANTIATE_BINARY(name)                                             \
  template void name(VecAvx2&, const VecGroup&, const VecGroup&, const VecGroup&); \
  template void name(VecAvx512&, const VecGroup&, const VecGroup&, const VecGroup&)

BURIN_INSTANTIATE_BINARY(EmitAddF64);
BURIN_INSTANTIATE_BINARY(EmitSubtractF64);
BURIN_INSTANTIATE_BINARY(EmitMultiplyF64);
BURIN_INSTANTIATE_BINARY(EmitDivideF64);
BURIN_INSTANTIATE_BINARY(EmitSquaredDifferenceF64);
BURIN_INSTANTIATE_BINARY(EmitMinimumF64);
BURIN_INSTANTIATE_BINARY(EmitMaximumF64);
BURIN_INSTANTIATE_BINARY(EmitPReluF64);
BURIN_INSTANTIATE_UNARY(EmitSqrtF64);
BURIN_INSTANTIATE_UNARY(EmitNegativeF64);
BURIN_INSTANTIATE_UNARY(EmitAbsF64);
BURIN_INSTANTIATE_UNARY(EmitReluF64);
BURIN_INSTANTIATE_UNARY(EmitSignF64);
BURIN_INSTANTIATE_UNARY(EmitRoundHalfAwayFromZeroF64);
template void EmitClampF64(VecAvx2&, const VecGroup&, const VecGroup&, double, double);
template void EmitClampF64(VecAvx512&, const VecGroup&, const VecGroup&, double, double);
template void EmitRoundF64(VecAvx2&, const VecGroup&, const VecGroup&, VecRounding);
template void EmitRoundF64(VecAvx512&, const VecGroup&, const VecGroup&, VecRounding);

#undef BURIN_INSTANTIATE_UNARY
#undef BURIN_INSTANTIATE_BINARY

}  // namespace burin::jit
