#include "jit/emitters/wide/i64_arithmetic.h"

#include <cstdint>

#include "jit/asm/operands.h"
#include "jit/asm/reg_pool.h"
#include "jit/emitters/vec.h"
#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"
#include "jit/emitters/wide/i64_lanes.h"
#include "jit/emitters/wide/wide_masks.h"

namespace burin::jit {
namespace {

// Set `to`, which may be either, to the smaller or the larger of two.
void Smaller(VecAvx2& v, const Xmm& to, const Xmm& a, const Xmm& b) {
  const VecReg greater = v.New("greater");
  CompareI64(v, greater, a, b, VecCompareI32::kGreater);
  SelectWide(v, to, greater, b, a);
}
void Smaller(VecAvx512& v, const Xmm& to, const Xmm& a, const Xmm& b) { v.code().vpminsq(to, a, b); }
void Larger(VecAvx2& v, const Xmm& to, const Xmm& a, const Xmm& b) {
  const VecReg greater = v.New("greater");
  CompareI64(v, greater, a, b, VecCompareI32::kGreater);
  SelectWide(v, to, greater, a, b);
}
void Larger(VecAvx512& v, const Xmm& to, const Xmm& a, const Xmm& b) { v.code().vpmaxsq(to, a, b); }

}  // namespace

template <class V>
void EmitAddI64(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& y) {
  for (int i = 0; i < to.size(); ++i) v.code().vpaddq(to[i], x[i], y[i]);
}

template <class V>
void EmitSubtractI64(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& y) {
  for (int i = 0; i < to.size(); ++i) v.code().vpsubq(to[i], x[i], y[i]);
}

template <class V>
void EmitMultiplyI64(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& y) {
  for (int i = 0; i < to.size(); ++i) MultiplyI64(v, to[i], x[i], y[i]);
}

template <class V>
void EmitSquaredDifferenceI64(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& y) {
  EmitSubtractI64(v, to, x, y);
  for (int i = 0; i < to.size(); ++i) MultiplyI64(v, to[i], to[i], to[i]);
}

template <class V>
void EmitMinimumI64(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& y) {
  for (int i = 0; i < to.size(); ++i) Smaller(v, to[i], x[i], y[i]);
}

template <class V>
void EmitMaximumI64(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& y) {
  for (int i = 0; i < to.size(); ++i) Larger(v, to[i], x[i], y[i]);
}

template <class V>
void EmitClampI64(V& v, const VecGroup& to, const VecGroup& x, int64_t min, int64_t max) {
  const VecReg limit = v.New("limit");
  v.Load(limit, WideConst(v, min));
  for (int i = 0; i < to.size(); ++i) Larger(v, to[i], x[i], limit);
  v.Load(limit, WideConst(v, max));
  for (int i = 0; i < to.size(); ++i) Smaller(v, to[i], to[i], limit);
}

template <class V>
void EmitNegativeI64(V& v, const VecGroup& to, const VecGroup& x) {
  v.Zero(to);
  EmitSubtractI64(v, to, to, x);
}

template <class V>
void EmitAbsI64(V& v, const VecGroup& to, const VecGroup& x) {
  for (int i = 0; i < to.size(); ++i) MagnitudeI64(v, to[i], x[i]);
}

template <class V>
void EmitSignI64(V& v, const VecGroup& to, const VecGroup& x) {
  EmitClampI64(v, to, x, -1, 1);
}

template <class V>
void EmitBitwiseNotI64(V& v, const VecGroup& to, const VecGroup& x) {
  for (int i = 0; i < to.size(); ++i) v.code().vxorpd(to[i], x[i], WideConst(v, int64_t{-1}));
}

template <class V>
void EmitBitwiseAndI64(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& y) {
  for (int i = 0; i < to.size(); ++i) v.code().vandpd(to[i], x[i], y[i]);
}

template <class V>
void EmitBitwiseOrI64(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& y) {
  for (int i = 0; i < to.size(); ++i) v.code().vorpd(to[i], x[i], y[i]);
}

template <class V>
void EmitBitwiseXorI64(V& v, const VecGroup& to, const VecGroup& x, const VecGroup& y) {
  for (int i = 0; i < to.size(); ++i) v.code().vxorpd(to[i], x[i], y[i]);
}

#define BURIN_INSTANTIATE_UNARY(name)                             \
  template void name(VecAvx2&, const VecGroup&, const VecGroup&); \
  template void name(VecAvx512&, const VecGroup&, const VecGroup&)
#define BURIN_INSTANTIATE_BINARY(name)                                             \
  template void name(VecAvx2&, const VecGroup&, const VecGroup&, const VecGroup&); \
  template void name(VecAvx512&, const VecGroup&, const VecGroup&, const VecGroup&)

BURIN_INSTANTIATE_BINARY(EmitAddI64);
BURIN_INSTANTIATE_BINARY(EmitSubtractI64);
BURIN_INSTANTIATE_BINARY(EmitMultiplyI64);
BURIN_INSTANTIATE_BINARY(EmitSquaredDifferenceI64);
BURIN_INSTANTIATE_BINARY(EmitMinimumI64);
BURIN_INSTANTIATE_BINARY(EmitMaximumI64);
BURIN_INSTANTIATE_BINARY(EmitBitwiseAndI64);
BURIN_INSTANTIATE_BINARY(EmitBitwiseOrI64);
BURIN_INSTANTIATE_BINARY(EmitBitwiseXorI64);
BURIN_INSTANTIATE_UNARY(EmitNegativeI64);
BURIN_INSTANTIATE_UNARY(EmitAbsI64);
BURIN_INSTANTIATE_UNARY(EmitSignI64);
BURIN_INSTANTIATE_UNARY(EmitBitwiseNotI64);
template void EmitClampI64(VecAvx2&, const VecGroup&, const VecGroup&, int64_t, int64_t);
template void EmitClampI64(VecAvx512&, const VecGroup&, const VecGroup&, int64_t, int64_t);

#undef BURIN_INSTANTIATE_UNARY
#undef BURIN_INSTANTIATE_BINARY

}  // namespace burin::jit
