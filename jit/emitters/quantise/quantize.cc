#include "jit/emitters/quantise/quantize.h"

#include "jit/emitters/vec_avx2.h"
#include "jit/emitters/vec_avx512.h"
#include "jit/emitters/vec_group.h"

namespace burin::jit {
namespace {

// Beyond every range, and far enough inside that of integers for a zero point to be added.
constexpr float kBeyondRanges = 0x1p24f;

bool IsZero(const VecSource& source) { return source.constant() != nullptr && source.constant()->bits == 0; }

}  // namespace

template <class V>
void EmitQuantize(V& v, const VecGroup& x, const VecSource& scale, const VecSource& zero_point, QuantizedRange range) {
  v.Div(x, x, scale);
  // The second source comes back for NaN.
  v.Max(x, x, v.Const(-kBeyondRanges));
  v.Min(x, x, v.Const(kBeyondRanges));
  v.FloatToI32(x, x);
  if (!IsZero(zero_point)) v.AddI32(x, x, zero_point);
  v.MaxI32(x, x, v.Const(range.low));
  v.MinI32(x, x, v.Const(range.high));
}

template <class V>
void EmitDequantize(V& v, const VecGroup& x, const VecSource& scale, const VecSource& zero_point) {
  if (!IsZero(zero_point)) v.SubI32(x, x, zero_point);
  v.I32ToFloat(x, x);
  v.Mul(x, x, scale);
}

template void EmitQuantize(VecAvx2&, const VecGroup&, const VecSource&, const VecSource&, QuantizedRange);
template void EmitQuantize(VecAvx512&, const VecGroup&, const VecSource&, const VecSource&, QuantizedRange);
template void EmitDequantize(VecAvx2&, const VecGroup&, const VecSource&, const VecSource&);
template void EmitDequantize(VecAvx512&, const VecGroup&, const VecSource&, const VecSource&);

}  // namespace burin::jit
